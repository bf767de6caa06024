// The judged picture with its boxes, and close looks at single dice cut from it. All in one SVG in pixels of the
// picture, so that boxes lie on the dice at every size.

import { h } from "./dom.js";
import { say } from "./words.js";

const mark = (die) => (die.face === 1 ? "P" : String(die.face));

/** A die in words, for those who hear the page. */
export function dieName(die) {
  const name = say.dieOf(die.player, say.colours[die.colour], die.face);
  return die.uncertain ? `${name}, ${say.unsure}` : name;
}

/** The address of the picture; `run` tells pictures of another start of the program apart in the browser's cache. */
export const pictureUrl = (reading, run) => (reading.picture ? `${reading.picture}${run ? `?run=${run}` : ""}` : null);

/** The picture. `highlight` lets the dice that count stand out; `onDie(die)` and `onPlace([x, y])` make it touchable. */
export function picture(reading, { run, highlight = false, selected = null, onDie = null, onPlace = null, place = null }) {
  const { width, height, dice } = reading;
  const unit = width / 100;
  const url = pictureUrl(reading, run);
  const order = [...dice].sort((a, b) => Number(a.uncertain) - Number(b.uncertain));
  return h(
    "svg",
    {
      class: `picture${onPlace ? " touch" : ""}`,
      key: `picture-${reading.id}`,
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "group",
      "aria-label": say.judged,
      on: onDie || onPlace ? { click: (event) => tapped(event, dice, unit, onDie, onPlace) } : undefined,
    },
    url ? h("image", { href: url, width, height }) : h("rect", { class: "cloth", width, height }),
    highlight &&
      h(
        "mask",
        { id: "dice-that-count" },
        h("rect", { width, height, fill: "#fff" }),
        dice.filter((die) => die.counts).map((die) => h("rect", { ...around(die, unit), fill: "#000" })),
      ),
    highlight && h("rect", { class: "shade", width, height, mask: "url(#dice-that-count)" }),
    order.map((die) => boxed(die, { unit, highlight, width, chosen: selected === die.id, onDie })),
    place && h("rect", { class: "box place", x: place[0], y: place[1], width: place[2], height: place[3], rx: unit }),
  );
}

function boxed(die, { unit, highlight, width, chosen, onDie }) {
  const at = around(die, unit);
  const tagged = !highlight || die.counts || die.uncertain || die.corrected;
  const kinds = { uncertain: die.uncertain, counts: die.counts && highlight, other: !die.counts && highlight, corrected: die.corrected, chosen };
  const kind = Object.keys(kinds).filter((name) => kinds[name]).join(" ");
  const label = { "font-size": 2.9 * unit, "text-anchor": "middle", dy: "0.36em" };
  const x = Math.min(at.x + at.width + 0.5 * unit, width - 2 * unit);
  return h(
    "g",
    {
      class: `boxed ${kind}`,
      key: `die-${die.id}`,
      "data-die": die.id,
      ...(onDie
        ? {
            role: "button",
            tabindex: 0,
            "aria-label": dieName(die),
            on: {
              keydown: (event) => {
                if (event.key !== "Enter" && event.key !== " ") return;
                event.preventDefault();
                onDie(die);
              },
            },
          }
        : { role: "img", "aria-label": dieName(die) }),
    },
    h("rect", { class: "box", ...at, rx: unit }),
    tagged &&
      h(
        "g",
        { transform: `translate(${x} ${Math.max(at.y - 0.5 * unit, 2 * unit)})` },
        h(
          "g",
          { class: "tagged" },
          h("circle", { class: "tag", r: 1.9 * unit }),
          h("text", { class: "tagtext", ...label }, die.uncertain ? "?" : mark(die)),
        ),
      ),
  );
}

function around(die, unit) {
  const [x, y, w, h] = die.box;
  const more = 0.5 * unit;
  return { x: x - more, y: y - more, width: w + 2 * more, height: h + 2 * more };
}

function tapped(event, dice, unit, onDie, onPlace) {
  const svg = event.currentTarget || event.target.closest("svg");
  const matrix = svg.getScreenCTM();
  if (!matrix) return;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  const finger = 22 / matrix.a; // half of 44 px on the screen, in pixels of the picture
  let nearest = null;
  let least = Infinity;
  for (const die of dice) {
    const [x, y, w, h] = die.box;
    const outside = Math.hypot(Math.max(x - point.x, 0, point.x - x - w), Math.max(y - point.y, 0, point.y - y - h));
    const centre = Math.hypot(point.x - x - w / 2, point.y - y - h / 2);
    if (outside <= Math.min(finger, w / 2) && centre < least) {
      least = centre;
      nearest = die;
    }
  }
  if (nearest && onDie) onDie(nearest);
  else if (!nearest && onPlace) onPlace([point.x, point.y]);
}

/** A close look at one die, cut from the picture; null where there is no picture. */
export function crop(reading, box, { run, label = "", cls = "" } = {}) {
  const url = pictureUrl(reading, run);
  if (!url) return null;
  const [x, y, w, h2] = box;
  const side = Math.max(w, h2) * 1.3;
  const left = x + w / 2 - side / 2;
  const top = y + h2 / 2 - side / 2;
  return h(
    "svg",
    {
      class: `crop ${cls}`,
      viewBox: `${left} ${top} ${side} ${side}`,
      ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }),
    },
    h("image", { href: url, width: reading.width, height: reading.height }),
  );
}

/** The box that a die added at a point gets: as large as the others, within the picture. */
export function boxAt(reading, [x, y]) {
  const sides = reading.dice.map((die) => Math.max(die.box[2], die.box[3])).sort((a, b) => a - b);
  const side = Math.round(sides.length ? sides[Math.floor(sides.length / 2)] : reading.width / 22);
  const within = (value, most) => Math.round(Math.min(Math.max(value - side / 2, 0), most - side));
  return [within(x, reading.width), within(y, reading.height), side, side];
}


