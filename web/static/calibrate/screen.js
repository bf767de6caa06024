// The sheet on a tablet's screen. A tablet does not know how large its screen is, so it is measured with a bank card.

import { stayAwake } from "../core/wake-lock.js";
import { word } from "../languages/language.js";
import { button, h, render } from "../core/dom.js";

const CARD = 85.6; // mm, the long side of a bank card
const ACROSS = 7; // squares across the sheet with its white border, and down
const DOWN = 9;
const STEP = 0.01;
const KEY = "perudo-px-per-mm";

let perMm = kept();
let fits = false; // whether the card has been laid on it

function kept() {
  try {
    return Number(localStorage.getItem(KEY)) || 0;
  } catch {
    return 0; // storage is not available
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, String(perMm));
  } catch {
    // it will be measured again
  }
}

/** Show the sheet in `root`, once the screen is measured. */
export function screen(root) {
  if (!perMm) perMm = 160 / 25.4; // as on many tablets, to start with
  const draw = () => render(root, h("main", { class: "calibrate screen", tabindex: -1, key: "screen" }, fits ? sheet(draw) : card(draw)));
  window.addEventListener("resize", draw);
  document.documentElement.classList.add("sheet-on-screen");
  stayAwake();
  draw();
}

function card(draw) {
  const by = (times) => () => {
    perMm = Math.min(40, Math.max(1.5, perMm * times));
    draw();
  };
  const slid = ({ target }) => {
    perMm = Number(target.value);
    draw();
  };
  const done = () => {
    keep();
    fits = true;
    draw();
  };
  const width = CARD * perMm;
  return [
    h("h1", { class: "big", tabindex: -1 }, word.calibration.cardTitle),
    h("p", {}, word.calibration.cardHint),
    h("svg", { class: "bankcard", width, height: width * 0.63, viewBox: "0 0 856 540", role: "img", "aria-label": word.calibration.card }, h("rect", { x: 4, y: 4, width: 848, height: 532, rx: 30 })),
    h(
      "div",
      { class: "row sizes" },
      button("step", by(1 - STEP), { "aria-label": word.calibration.smaller }, "−"),
      h("input", { type: "range", min: 2, max: 14, step: 0.02, value: String(perMm), "aria-label": word.calibration.cardSize, on: { input: slid } }),
      button("step", by(1 + STEP), { "aria-label": word.calibration.larger }, "+"),
    ),
    button("go", done, {}, word.calibration.cardFits),
  ];
}

function sheet(draw) {
  const room = document.documentElement;
  const upright = Math.min(room.clientWidth / ACROSS, (room.clientHeight - 64) / DOWN);
  const square = Math.max(8, Math.floor(upright));
  const again = () => {
    fits = false;
    draw();
  };
  return [
    h("h1", { class: "hidden", key: "title", tabindex: -1 }, word.calibration.board),
    h("img", { class: "board", key: "board", alt: word.calibration.board, src: `/api/v1/calibration/sheet.svg?square=${square}`, width: square * ACROSS, height: square * DOWN }),
    h("p", { class: "measured", key: "measured" }, word.calibration.squareIs((square / perMm).toFixed(1)), " ", button("link", again, {}, word.calibration.measureAgain)),
  ];
}
