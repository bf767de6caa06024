// Sends what a manager changes: one request at a time, so that two taps on one button do not do a thing twice. A tap that got
// no answer is sent under the same key when it is repeated: the club carries it out once.

import { freshKey } from "../core/api.js";
import { textOf, word } from "../languages/language.js";
import { ask } from "../lobby/club.js";

const PATIENCE = 10000; // ms for an answer
const REPEATED = 60000; // ms in which the same tap is the same request, if it got no answer
const REST = 400; // ms after an answer in which no button can be tapped: another one may have taken the place of the first

/** The desk's part of a page's store. */
export const DESK = {
  busy: false, // whether a request is under way
  refused: null, // {where, text}: what was refused last
};

/** The requests of a page. `post(where, path, body)`: the answer, or null, with the reason in `refused`. `where` names the form. */
export function createDesk(store) {
  let busy = false;
  let count = 0;
  let lost = null; // {what, key, until} of the last request, if it got no answer

  function keyOf(what) {
    const now = performance.now();
    if (!lost || lost.what !== what || lost.until < now) lost = { what, key: freshKey() };
    lost.until = now + REPEATED;
    return lost.key;
  }

  async function send(path, body, key) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), PATIENCE);
    const { csrf } = store.get().club || {};
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key, ...(csrf && { "X-Perudo-CSRF": csrf }) };
    try {
      const answer = await fetch(`/api/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body), cache: "no-store", signal: abort.signal });
      return { ok: answer.ok, said: await answer.json() };
    } finally {
      clearTimeout(timer);
    }
  }

  async function post(where, path, body = {}) {
    if (busy) return null;
    busy = true;
    count += 1;
    store.change({ busy, refused: null });
    const key = keyOf(`${path} ${JSON.stringify(body)}`);
    try {
      let { ok, said } = await send(path, body, key);
      if (!ok && said.error === "csrf") {
        store.change({ club: await ask("club") }); // the code was entered again in another window
        ({ ok, said } = await send(path, body, key));
      }
      if (said.error !== "under-way") lost = null;
      if (ok) return said;
      if (said.error === "not-host") store.change({ club: await ask("club") });
      store.change({ refused: { where, text: reason(said) } });
    } catch {
      store.change({ refused: { where, text: word.tournaments.noAnswer } });
    } finally {
      count += 1;
      setTimeout(() => {
        busy = false;
        store.change({ busy });
      }, REST);
    }
    return null;
  }

  /** Ask for something by `load()`; undefined if a change was sent meanwhile, after which its answer is too old. */
  async function fresh(load) {
    const before = count;
    const found = await load();
    return before === count ? found : undefined;
  }

  return { post, fresh };
}

function reason(said) {
  if (said.error === "not-host") return word.tournaments.noLonger;
  return textOf(said) || word.lobby.noAnswer;
}
