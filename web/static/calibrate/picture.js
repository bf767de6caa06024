// The camera's picture, and over it what was found in it: the sheet, where to hold it, the dice. Both change together.

import { textOf, word } from "../languages/language.js";
import { h } from "../core/dom.js";

let loading = null; // the picture being loaded
let last = 0;
let store = null;

/** Set the function to call with each picture that is shown. */
export function started(whose) {
  store = whose;
}

/** Fetch the newest picture once the one before has arrived: a slow network gets fewer pictures, never a queue. */
export function follow(_, picture) {
  const image = document.querySelector(".seen img.view");
  if (!image || !picture || loading || picture.number === last) return;
  loading = picture;
  image.src = `/api/v1/calibration/picture.jpg?number=${picture.number}`;
}

function loaded() {
  if (!loading) return;
  last = loading.number;
  store.change({ shown: loading });
  loading = null;
}

function failed() {
  loading = null;
}

function forget() {
  loading = null;
  last = 0;
}

/** The picture. `marks(picture)` returns what else is drawn over it. */
export function picture({ now, shown }, marks = () => null) {
  const size = now.picture || { width: 640, height: 480 };
  const over = shown && now.picture && shown.width === size.width ? shown : null;
  return h(
    "div",
    { class: `seen${now.picture ? "" : " dark"}`, key: "seen" },
    h("img", { class: "view", alt: word.calibration.live, width: size.width, height: size.height, mount: mounted, unmount: forget }),
    over &&
      h(
        "svg",
        { class: "over", viewBox: `0 0 ${over.width} ${over.height}`, "aria-hidden": "true", focusable: "false", key: "over" },
        over.target.length > 0 && [shape("target edge", over.target, "edge"), shape("target", over.target, "target")],
        over.outline.length > 0 && shape("outline", over.outline, "outline"),
        over.corners.map(([x, y], n) => h("circle", { class: "corner", key: `c${n}`, cx: x, cy: y, r: over.width / 160 })),
        marks(over),
      ),
    now.trouble && h("p", { class: "over-says", key: "trouble" }, textOf(now.trouble)),
  );
}

const shape = (cls, points, key) => h("polygon", { class: cls, key, points: points.map((point) => point.join(",")).join(" ") });

function mounted(image) {
  image.addEventListener("load", loaded);
  image.addEventListener("error", failed);
}

/** A die's frame with its number in the list, or what it shows. */
export function dieMarks(over, text) {
  const size = over.width / (window.innerWidth < 900 ? 26 : 40); // letters of the same size on a phone and on a computer
  return over.dice.map((die, n) => {
    const [x, y, width, height] = die.box;
    return h(
      "g",
      { key: `d${n}`, class: `found${die.uncertain ? " uncertain" : ""}` },
      h("rect", { class: "box", x, y, width, height, rx: width / 8 }),
      text(die, n) && h("rect", { class: "tag", x: x + width / 2 - size * 0.62, y: y - size * 0.9, width: size * 1.24, height: size, rx: size / 4 }),
      text(die, n) && h("text", { class: "tagtext", x: x + width / 2, y: y - size * 0.12, "font-size": size * 0.86, "text-anchor": "middle" }, text(die, n)),
    );
  });
}
