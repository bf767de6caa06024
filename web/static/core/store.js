// What the page knows: the table's state, this phone's own drafts, and whether the box answers.

/** A store of one value; `change` merges into it, and the listeners are called once per frame. */
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

  /** Set whether the box answers, and why not. */
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

/** The phone's own part of the store. Nothing of it is sent without a tap. */
export const OWN = {
  me: null, // who this phone is, as the box says; null until then
  draft: null, // a bid being chosen: {key, face, count, picked: whether the count was chosen and not only the lowest, way}
  hint: null, // a sentence in the pad: {text, key}
  jump: null, // whose bid against the rules is entered, and after which bid: {key, player}
  standIn: null, // the bid after which this phone bids for somebody else
  call: null, // the call as entered after the count: {key, call, caller, bidder, face, count, picked, said}
  sheet: null, // the open sheet: {kind: "game" | "hand" | "die" | "place" | "calza" | "count" | "undo" | "story" | "menu" | "join" | "who" | "others" | "rules" | "lesson" | "settings" | "player" | "newcomer", ...}
  fold: null, // what is unfolded under a verdict: {verdict, part: "picture" | "wrong" | ""}
  last: null, // the game whose last verdict is shown before its winner
  form: null, // the form of a new game, see `firstForm`
  toasts: [], // [{id, said, kind}]
  photo: null, // the picture under way from this phone: {place, said, busy, failed}
  busy: null, // the address of the request under way
};
