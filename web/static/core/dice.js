// Dice as SVG: a rounded body in the player's colour, pips, and an alpaca's head for the paco.

import { h } from "./dom.js";
import { faceName } from "../languages/language.js";

const PIPS = {
  2: [[30, 30], [70, 70]],
  3: [[27, 27], [50, 50], [73, 73]],
  4: [[29, 29], [71, 29], [29, 71], [71, 71]],
  5: [[27, 27], [73, 27], [50, 50], [27, 73], [73, 73]],
  6: [[29, 25], [71, 25], [29, 50], [71, 50], [29, 75], [71, 75]],
};

const ALPACA = // neck and chin, muzzle, brow, ear, fleece, ear, neck
  "M42 84C43 72 44 66 40 60L28 60C20 60 17 52 22 47L35 40C36 34 39 30 44 28" +
  "L43 15L52 24C55 23 59 23 62 25L69 15L70 31C76 42 73 66 74 84";

/** The face of a die as SVG children in a 100 x 100 square. */
export function faceMarks(face) {
  if (face === 1)
    return [
      h("path", { class: "paco-line", d: ALPACA }),
      h("circle", { class: "pip", cx: 47, cy: 42, r: 4.5 }),
      h("path", { class: "paco-line thin", d: "M29 53L36 52M54 62C58 66 63 66 66 62M54 74C58 78 63 78 66 74" }),
    ];
  return (PIPS[face] || []).map(([x, y]) => h("circle", { class: "pip", cx: x, cy: y, r: 9.5 }));
}

/** A die. `colour` is a player's colour or "ivory"; without a face it is blank; without `label` it is decoration. */
export function die(face, colour = "ivory", { label = "", cls = "", key } = {}) {
  const named = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return h(
    "svg",
    { class: `die ${colour} ${cls}`, viewBox: "0 0 100 100", focusable: "false", key, ...named },
    h("rect", { class: "body", x: 4, y: 4, width: 92, height: 92, rx: 22 }),
    h("rect", { class: "shine", x: 12, y: 9, width: 76, height: 40, rx: 18 }),
    faceMarks(face),
  );
}

/** `5 × die`, large. */
export function bidSign(bid, cls = "") {
  return h(
    "span",
    { class: `bidsign ${cls}`, role: "img", "aria-label": `${bid.count} ${faceName(bid.face, bid.count)}` },
    h("span", { class: "n", "aria-hidden": "true" }, bid.count),
    h("span", { class: "times", "aria-hidden": "true" }, "×"),
    die(bid.face, "ivory"),
  );
}
