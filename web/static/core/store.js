// What the page knows: the table's state, this phone's own half-made things, and whether the box answers.

/** A store of one value; `change` merges, and whoever listens is told once a frame. */
export function createStore(initial) {
  let value = initial;
  let asked = false;
  const listeners = [];
  const tell = () => {
    asked = false;
    for (const listener of listeners) listener(value);
  };
  function change(part) {
    value = { ...value, ...part };
    if (asked) return;
    asked = true;
    requestAnimationFrame(tell);
  }

  /** Whether the box answers, and why not. */
  function line(up, sentence) {
    if (value.line !== up || value.lineSaid !== sentence) change({ line: up, lineSaid: sentence });
  }

  return {
    get: () => value,
    change,
    line,
    listen(listener) {
      listeners.push(listener);
      listener(value);
    },
  };
}

/** What a phone holds for itself. Nothing here is ever sent without a tap. */
export const OWN = {
  me: null, // who this phone is, as the box says; null until it has said
  asked: "", // the company of which it was asked already "who are you?"
  draft: null, // a bid being made: {key, face, count}
  hint: null, // a sentence over the pad: {text}
  standIn: null, // the bid after which the host speaks for somebody who has a phone
  call: null, // what was said of a call after the count: {key, call, caller, bidder, face, count, picked, said}
  sheet: null, // what is open over the page: {kind: "game" | "hand" | "die" | "place" | "calza" | "count" | "undo" | "story" | "menu" | "join" | "who" | "others" | "rules" | "settings", ...}
  form: null, // a new game that is being typed in, as `firstForm` begins it
  toasts: [], // [{id, text, kind}]
  busy: null, // the address that is being asked
};
