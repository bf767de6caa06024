// The counts of a bid as a row to tap, which opens at the likely ones, and a button that repeats while it is held.

import { button, h } from "../core/dom.js";
import { FACES, MOST, highest, legal, lowest } from "./legal-bids.js";
import { diceEach, plays } from "./players.js";
import { say } from "../languages/language.js";

const LIKELY_AT = 0.7; // where the likely count is in the row: players open below it more often than above
const FIRST_REPEAT = 450; // ms
const REPEAT = 110; // ms

// The most dice that may be under the cups; more of them may be bid with "+".
const inPlay = (state) => state.players.filter(plays).reduce((sum, { dice }) => sum + (dice === null ? diceEach(state) : dice), 0);

// How many dice of a face lie on the table on average.
const likely = (state, face) => Math.round(inPlay(state) / (state.wild && face !== 1 ? 3 : 6));

/** The counts that may be bid on the face of `made`, or on any face while there is none; `pick` gets the one that is tapped. */
export function counts(state, made, pick) {
  const face = made && made.face ? made.face : null;
  const chosen = made ? made.count : null;
  const faces = (face ? [face] : FACES).filter((each) => lowest(state, each) !== null);
  const from = Math.min(...faces.map((each) => lowest(state, each)), chosen || MOST);
  const to = Math.max(Math.min(Math.max(...faces.map((each) => highest(state, each))), Math.max(inPlay(state), from)), chosen || 1);
  const row = Array.from({ length: Math.max(to - from + 1, 0) }, (_, n) => from + n);
  const mark = Math.max(likely(state, face), from);
  return h(
    "div",
    { class: "counts", key: `counts-${state.round}-${face}-${from}`, role: "group", "aria-label": say.count, mount: (element) => open(element, chosen || mark, chosen ? 0.5 : LIKELY_AT) },
    row.map((n) =>
      button(
        `count${n === chosen ? " chosen" : ""}${n === mark ? " likely" : ""}`,
        () => pick(n),
        { key: n, "data-count": n, "aria-pressed": String(n === chosen), "aria-disabled": face && !legal(state, face, n) ? "true" : null },
        n,
      ),
    ),
  );
}

// Scroll the row so that `n` is at this part of its width.
function open(row, n, at) {
  const place = row.querySelector(`[data-count="${n}"]`);
  if (place) requestAnimationFrame(() => { row.scrollLeft = place.offsetLeft - row.offsetLeft - at * row.clientWidth + place.offsetWidth / 2; });
}

/** Show the count `n` in the row, if it is not in sight. */
export function showCount(n) {
  requestAnimationFrame(() => {
    const row = document.querySelector(".counts");
    const place = row && row.querySelector(`[data-count="${n}"]`);
    if (!place) return;
    const left = place.offsetLeft - row.offsetLeft;
    if (left < row.scrollLeft) row.scrollLeft = left;
    else if (left + place.offsetWidth > row.scrollLeft + row.clientWidth) row.scrollLeft = left + place.offsetWidth - row.clientWidth;
  });
}

/** Make a button repeat its click while a finger holds it. */
export function repeats(element) {
  let timer = null;
  const stop = () => {
    clearTimeout(timer);
    timer = null;
  };
  const again = () => {
    element._since = performance.now(); // the click of the finger that is lifted at last is not meant for it (see `dom.js`)
    element.click();
    timer = setTimeout(again, REPEAT);
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.button === 0) timer = setTimeout(again, FIRST_REPEAT);
  });
  for (const type of ["pointerup", "pointercancel", "pointerleave", "blur"]) element.addEventListener(type, stop);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
}
