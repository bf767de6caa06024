// The stream of states. It uses `fetch`, not EventSource: a box whose power is cut closes no connection, and a phone notices
// only by the missing heartbeats, which are comments that EventSource hides.

import { textOf } from "../languages/language.js";

const SILENCE = 25000; // ms without a heartbeat, which comes every 10 s, until the box counts as gone
const ASLEEP = 3000; // ms hidden after which the stream is opened again: after sleep it may be dead
const FIRST_WAIT = 400; // ms before the first new attempt
const LONGEST_WAIT = 4000;

// Reload if the box has a newer page.
function keepUp(headers) {
  const { build } = document.documentElement.dataset;
  const now = headers.get("X-Perudo-Build");
  if (now && build && now !== build) location.reload();
}

/** The fields of one event: `{event, id, data}`; data is "" in a comment. */
export function fields(block) {
  const found = { event: "message", id: null, data: "" };
  const data = [];
  for (const line of block.split("\n")) {
    const at = line.indexOf(":");
    if (at <= 0) continue; // a comment, or nothing
    const value = line.slice(at + 1).replace(/^ /, "");
    const name = line.slice(0, at);
    if (name === "data") data.push(value);
    else if (name === "event" || name === "id") found[name] = value;
  }
  found.data = data.join("\n");
  return found;
}

/**
 * Listen to the box for ever. Calls `onHello(headers)` for every connection, `onState(state, fresh)`, `onSeats(seats)`,
 * `onLine(isUp, sentence)`, and for an event of another name the function that `others` has under it. A state is fresh if the
 * box was restarted since the one before, so that its version starts again. Returns a function that reopens the stream.
 */
export function listen({ onState, onSeats, onLine, onHello, others = {} }) {
  let wait = FIRST_WAIT;
  let abort = null;
  let timer = 0;
  let last = ""; // the id of the last event: the box sends what was missed since
  let run = null;
  let renewed = false; // this page closed the stream itself, to reopen it
  let away = null; // settles when the page is shown again

  async function once() {
    abort = new AbortController();
    const { signal } = abort;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => abort.abort(), SILENCE);
    };
    watch();
    const headers = last ? { "Last-Event-ID": last } : {};
    const answer = await fetch("/api/v1/events", { signal, headers, cache: "no-store" });
    if (!answer.ok) {
      onLine(false, textOf(await answer.json())); // the box answers, but refuses the stream and says why
      wait = Math.max(wait, 1000 * Number(answer.headers.get("Retry-After")));
      return;
    }
    keepUp(answer.headers);
    onHello(answer.headers);
    const now = answer.headers.get("X-Perudo-Run");
    let fresh = now === null || now !== run;
    run = now;
    const reader = answer.body.getReader();
    const text = new TextDecoder();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the stream has ended");
      watch();
      wait = FIRST_WAIT;
      onLine(true, "");
      const blocks = (rest + text.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const { event, id, data } = fields(block);
        if (id) last = id;
        if (!data) continue;
        if (event === "seats") onSeats(JSON.parse(data));
        else if (event === "state") {
          onState(JSON.parse(data), fresh);
          fresh = false;
        } else if (others[event]) others[event](JSON.parse(data));
      }
    }
  }

  async function forEver() {
    for (;;) {
      try {
        await once();
      } catch {
        if (!renewed && !away) onLine(false, ""); // whatever the error was, report it and try again
      }
      clearTimeout(timer);
      if (abort) abort.abort();
      if (away) {
        await away;
        away = null;
        wait = FIRST_WAIT;
        continue;
      }
      if (!renewed) {
        await pause(wait);
        wait = Math.min(LONGEST_WAIT, wait * 1.6);
      }
      renewed = false;
    }
  }

  let hurry = () => {};
  function pause(ms) {
    return new Promise((resolve) => {
      const id = setTimeout(resolve, ms);
      hurry = () => {
        clearTimeout(id);
        resolve();
      };
    });
  }

  function wake(slept) {
    wait = FIRST_WAIT;
    if (slept && abort) {
      renewed = true; // the old stream may be dead
      abort.abort();
    }
    hurry();
  }

  let hidden = 0;
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") hidden = Date.now();
    else wake(hidden > 0 && Date.now() - hidden > ASLEEP);
  });
  // A page that is kept for the back button would keep its connection too, and a browser has six for each host.
  window.addEventListener("pagehide", () => {
    away = new Promise((resolve) => window.addEventListener("pageshow", resolve, { once: true }));
    if (abort) abort.abort();
    hurry();
  });
  document.addEventListener("resume", () => wake(true)); // the browser had frozen the page and its stream
  window.addEventListener("online", () => wake(false));
  window.addEventListener("offline", () => wake(true)); // check at once, without waiting for the silence
  forEver();
  return () => wake(true);
}
