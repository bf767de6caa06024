// Dice as SVG: a rounded body in the player's colour, pips, and a toucan's head for the paco.

import { h } from "./dom.js";
import { faceName } from "../languages/language.js";

const PIPS = {
  2: [[30, 30], [70, 70]],
  3: [[27, 27], [50, 50], [73, 73]],
  4: [[29, 29], [71, 29], [29, 71], [71, 71]],
  5: [[27, 27], [73, 27], [50, 50], [27, 73], [73, 73]],
  6: [[29, 25], [71, 25], [29, 50], [71, 50], [29, 75], [71, 75]],
};

const TOUCAN = // the beak above and below, the head and the breast, the eye
  "M56 27C42 17 24 20 17 33C11 44 10 55 13 68C20 55 34 47 56 44ZM55 51C40 52 28 57 20 67C33 73 47 70 56 62Z" +
  "M62 25C70 15 83 20 85 35C87 51 85 68 79 85H46C54 78 62 71 62 59ZM74 30a6 6 0 1 0 .1 0Z";

/** The face of a die as SVG children in a 100 x 100 square. */
export function faceMarks(face) {
  if (face === 1) return [h("path", { class: "pip", "fill-rule": "evenodd", d: TOUCAN })];
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
