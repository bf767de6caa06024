// What is done with a keyboard: the focus stays in sight, and the keys D and C press DUDO and CALZA as the buttons of a panel
// do, on the table's own tablet and on a board in the same browser. Loaded at the first key, since few tables have any.

import "../core/focus.js";

const BUTTONS = { d: "dudo", c: "calza" };
const QUIET = 2000; // ms after a verdict within which a press opens no round, as at a panel
const FIELDS = "input, textarea, select, [contenteditable]";

/** Listen from now on; `first` is the key that was pressed already. */
export function begin({ store, post }, first) {
  let verdict = ""; // the verdict that is shown
  let since = -Infinity;
  store.listen(({ state }) => {
    const shown = state && state.phase === "verdict" ? `${state.game}/${state.round}` : "";
    if (shown && shown !== verdict) since = performance.now();
    verdict = shown;
  });
  since = -Infinity; // what was shown before the first key has been seen
  const press = (event) => {
    const called = BUTTONS[event.key.toLowerCase()];
    const { me, state, sheet } = store.get();
    const typed = event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.target.closest(FIELDS);
    if (!called || typed || sheet || !state || state.paused || !me || !me.joined || me.role !== "table") return;
    if (state.phase === "bidding") post(called);
    else if (state.phase === "verdict" && performance.now() - since >= QUIET) post("next");
  };
  document.addEventListener("keydown", press);
  press(first);
}
