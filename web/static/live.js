// The stream of states. `fetch` and not EventSource: a box that is switched off at the plug closes nothing, and only by
// hearing the heart-beats (comments, which EventSource hides) can a phone know that it has gone.

const SILENCE = 25000; // ms without a heart-beat after which the box counts as gone; it beats every 10 s
const FIRST_WAIT = 400; // ms before the first new attempt
const LONGEST_WAIT = 4000;

/** Listen to the box for ever. Calls `onState(state, fresh)`, `onLine(isUp, sentence)` and `onHello(headers)`. */
export function listen({ onState, onLine, onHello }) {
  let wait = FIRST_WAIT;
  let abort = null;
  let timer = 0;

  async function once() {
    abort = new AbortController();
    const { signal } = abort;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => abort.abort(), SILENCE);
    };
    watch();
    const answer = await fetch("/api/v1/events", { signal, cache: "no-store" });
    if (!answer.ok) {
      onLine(false, (await answer.json()).message); // it answers, but has no place for this phone: it says why
      return;
    }
    onHello(answer.headers);
    const reader = answer.body.getReader();
    const text = new TextDecoder();
    let rest = "";
    let fresh = true;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the stream has ended");
      watch();
      const blocks = (rest + text.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const data = block.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5)).join("\n");
        if (!data) continue;
        wait = FIRST_WAIT;
        onLine(true, "");
        onState(JSON.parse(data), fresh);
        fresh = false;
      }
    }
  }

  async function forEver() {
    for (;;) {
      try {
        await once();
      } catch {
        onLine(false, ""); // whatever it was, the way on is the same: say so and try again
      }
      clearTimeout(timer);
      if (abort) abort.abort();
      await pause(wait);
      wait = Math.min(LONGEST_WAIT, wait * 1.6);
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

  let hidden = 0;
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") hidden = Date.now();
    else if (hidden && Date.now() - hidden > SILENCE && abort) abort.abort(); // woken up: what it had is old
    hurry();
  });
  window.addEventListener("online", () => hurry());
  forEver();
}
