// The likely counts of an opening bid as a row to tap, and a button that repeats while it is held.

import { button, h } from "../core/dom.js";
import { highest, lowest } from "./legal-bids.js";
import { diceEach, plays } from "./players.js";
import { say } from "../languages/language.js";

const SHOWN = 5; // counts in the row
const BELOW = 3; // of them below the average: players open there more often than above
const FIRST_REPEAT = 450; // ms
const REPEAT = 110; // ms

/** The most dice that may be under the cups. */
export const inPlay = (state) => state.players.filter(plays).reduce((sum, { dice }) => sum + (dice === null ? diceEach(state) : dice), 0);

/** How many dice of a face lie on the table on average. */
export const likely = (state, face) => Math.round(inPlay(state) / (state.wild && face !== 1 ? 3 : 6));

/** The likely counts of the face of `made`, as a row; `pick` gets the one that is tapped. The others are reached with plus and minus. */
export function counts(state, made, pick) {
  if (!made) return null;
  const { face, count } = made;
  const [low, high] = [lowest(state, face), highest(state, face)];
  const from = Math.max(low, Math.min(likely(state, face) - BELOW, high - SHOWN + 1));
  return h(
    "div",
    { class: "counts", key: "counts", role: "group", "aria-label": say.count },
    Array.from({ length: Math.min(SHOWN, high - from + 1) }, (_, n) => from + n).map((n) =>
      button(`count${n === count ? " chosen" : ""}`, () => pick(n), { key: n, "data-count": n, "aria-pressed": String(n === count) }, n),
    ),
  );
}

/** Make a button repeat its click while a finger holds it. */
export function repeats(element) {
  let timer = null;
  const stop = () => {
    clearTimeout(timer);
    timer = null;
  };
  const again = () => {
    element._since = performance.now(); // the click of the finger that is lifted at last is not meant for it (see `core/click-guard.js`)
    element.click();
    timer = setTimeout(again, REPEAT);
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.button === 0) timer = setTimeout(again, FIRST_REPEAT);
  });
  for (const type of ["pointerup", "pointercancel", "pointerleave", "blur"]) element.addEventListener(type, stop);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
}
