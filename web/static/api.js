// The only place that changes anything: one POST a tap.

import { say } from "./words.js";

const PATIENCE = 8000; // ms

/** The functions by which the page acts. `post` answers true when it was done; `refused` gets the sentence when not. */
export function createApi({ store, take, toast }) {
  return async function post(path, body = {}, { quiet = false, refused = (sentence) => toast(sentence, "refused") } = {}) {
    if (!quiet && store.get().busy) return false; // a second tap while the first is on its way
    if (!quiet) store.change({ busy: path });
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), PATIENCE);
    try {
      const answer = await fetch(`/api/v1/${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal: abort.signal,
        cache: "no-store",
      });
      const said = await answer.json();
      if (!answer.ok) {
        refused(said.message || say.refused);
        return false;
      }
      take(said);
      return true;
    } catch {
      toast(say.noAnswer, "refused");
      return false;
    } finally {
      clearTimeout(timer);
      if (!quiet) store.change({ busy: null });
    }
  };
}
