// The judged picture with its boxes, and close-ups of single dice. It is one SVG in pixels of the picture, so that the boxes
// fit the dice at every size.

import { badges, dieWidth, outline } from "./badges.js";
import { button, h } from "../core/dom.js";
import { keyedBox, listeners, measure, transformOf, viewOf, zoomBy } from "./gestures.js";
import { inTurn } from "../reveal/motion.js";
import { initials } from "../game/players.js";
import { say } from "../languages/language.js";
import { NEAREST, WHOLE } from "./zoom.js";

/** A die's face in one letter. */
export const mark = (die) => (die.face === 1 ? "P" : String(die.face));

/** A die in words, for screen readers. */
export function dieName(die) {
  const name = say.dieOf(die.player, die.colour, die.face);
  return die.uncertain ? `${name}, ${say.unsure}` : name;
}

/** The dice that count, pacos last. */
export const countingDice = (reading) => reading.dice.filter((die) => die.counts).sort((a, b) => (a.face === 1) - (b.face === 1));

/** The address of the picture; `run` distinguishes starts of the program in the browser's cache. */
export const pictureUrl = (reading, run) => (reading.picture ? `${reading.picture}${run ? `?run=${run}` : ""}` : null);

/** The dice of a reading as the camera saw them, side by side in squares: the address, and the place of each by its id. */
export function closeUps({ picture: url, dice }, run) {
  if (!url || !dice.length) return null;
  const ids = dice.map(({ id }) => id);
  return { url: `${url.replace(".jpg", "/dice.jpg")}?dice=${ids.join(",")}${run ? `&run=${run}` : ""}`, places: new Map(ids.map((id, n) => [id, n])) };
}

/** One of them; `failed()` is called if they cannot be loaded. */
export const closeUp = ({ url, places }, id, failed) =>
  h("svg", { class: "closeup", key: "closeup", viewBox: `${places.get(id)} 0 1 1`, "aria-hidden": "true" }, h("image", { href: url, width: places.size, height: 1, preserveAspectRatio: "none", on: { error: failed } }));

/**
 * The picture with its boxes, and the buttons that belong to it.
 *
 * `highlight` highlights the dice that count. With `onDie(die)` the picture reacts to touch: it can be zoomed, and dice can
 * be corrected; `onPlace([x, y])` is called for a tap on an empty place and returns the box that was put there. `adding` is
 * the die being added: `{box, onBox, put, latest, onCancel, onGo}`; `onAdd` begins and ends adding. `redraw` draws the page
 * after a gesture, `below` is shown under the picture. `names` are the players, whose initials are shown by their dice.
 */
export function picture(reading, options) {
  const { run, names = [], highlight = false, selected = null, onDie = null, adding = null, onAdd = null, below = null } = options;
  const { id, width, height, dice } = reading;
  const unit = width / 100;
  const side = dieWidth(dice);
  const url = pictureUrl(reading, run);
  const order = [...dice].sort((a, b) => Number(a.uncertain) - Number(b.uncertain));
  const own = { ...options, reading };
  const view = viewOf(id);
  const initial = initials(names);
  const asked = new Set(reading.problems.flatMap((problem) => problem.dice)); // the players are asked whose they are
  const counting = countingDice(reading).map((die) => die.id);
  const marks = (die) => {
    const kinds = {
      uncertain: die.uncertain,
      counts: die.counts && highlight,
      other: !die.counts && highlight,
      corrected: die.corrected,
      asked: asked.has(die.id),
      chosen: selected === die.id,
    };
    const kind = Object.keys(kinds).filter((name) => kinds[name]).join(" ");
    return { at: around(die, side), unit, kind, turn: Math.max(counting.indexOf(die.id), 0) };
  };
  const labels = badges(order, dice, { x: 0, y: 0, w: width, h: height }, (die) => [initial.get(die.player) || "", die.uncertain ? "?" : mark(die)]);
  const svg = h(
    "svg",
    {
      tabindex: onDie ? -1 : null, // some browsers would make it a tab stop, because it listens for the focus of its dice
      class: `picture${onDie ? " touch" : ""}${onDie && view.k > 1 ? " zoomed" : ""}${adding ? " adding" : ""}`,
      key: `picture-${id}`,
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "group",
      "aria-label": say.judged,
      "data-die-width": side,
      on: onDie ? listeners(own) : undefined,
      mount: watched,
      unmount: unwatched,
    },
    h(
      "g",
      { class: "scene", transform: transformOf(onDie ? view : WHOLE) },
      url ? h("image", { href: url, width, height }) : h("rect", { class: "cloth", width, height }),
      highlight &&
        h(
          "mask",
          { id: "dice-that-count" },
          h("rect", { width, height, fill: "#fff" }),
          dice.filter((die) => die.counts).map((die) => h("rect", { ...around(die, side), fill: "#000" })),
        ),
      highlight && h("rect", { class: "shade", width, height, mask: "url(#dice-that-count)" }),
      order.map((die) => boxed(die, { ...marks(die), onDie })),
      // Beside the boxes, not in them: a button's accessible name would have to contain this text.
      h("g", { class: "tags", key: "tags", "aria-hidden": "true" }, order.map((die) => h("g", { key: die.id, "data-kind": marks(die).kind }, badge(labels.get(die.id))))),
      adding && adding.box && frameOf(adding, [width, height], unit),
    ),
  );
  return h("div", { class: "pictured", key: `pictured-${id}` }, svg, onDie && bar(own, view, onAdd), below);
}

// The size on the screen depends on the size of the window.
function watched(svg) {
  svg._watch = new ResizeObserver(() => measure(svg));
  svg._watch.observe(svg);
}

function unwatched(svg) {
  svg._watch.disconnect();
}

function bar(own, view, onAdd) {
  const tool = (cls, tap, label, sign, disabled = false) =>
    button(`tool ${cls}`, tap, { key: cls, disabled, "aria-label": label, title: label }, h("span", { "aria-hidden": "true" }, sign));
  return h(
    "div",
    { class: "picturebar", key: "bar", role: "group", "aria-label": say.lookCloser },
    tool("out", (event) => zoomBy(event, 1 / 1.6, own), say.zoomOut, "−", view.k <= 1),
    tool("in", (event) => zoomBy(event, 1.6, own), say.zoomIn, "+", view.k >= NEAREST),
    tool("whole", (event) => zoomBy(event, 0, own), say.zoomWhole, "⤢", view.k <= 1),
    onAdd &&
      button("tool add", (event) => onAdd(event), { key: "add", "aria-pressed": String(Boolean(own.adding)) }, own.adding ? say.addStop : say.addMissed),
  );
}

function boxed(die, { at, unit, kind, turn, onDie }) {
  return h(
    "g",
    {
      class: `boxed ${kind}`,
      key: `die-${die.id}`,
      "data-die": die.id,
      mount: inTurn(turn),
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
  );
}

/** A die's label, as `badges` places it. */
export const badge = ({ x, y, half, r, text }) =>
  h(
    "g",
    { class: "badge", transform: `translate(${x} ${y})` },
    h("rect", { class: "tag", x: -half, y: -r, width: 2 * half, height: 2 * r, rx: r }),
    h("text", { class: "tagtext", "font-size": 1.5 * r, "text-anchor": "middle", dy: "0.36em" }, text),
  );

// The box of the die being added, with its four handles.
function frameOf({ box, onBox, latest, onGo }, size, unit) {
  const [x, y, w, h2] = box;
  const keys = (event) => {
    if (event.key === "Enter") onGo();
    else {
      const next = keyedBox(event, latest() || box, size); // two quick keys are two steps, even before a redraw
      if (!next) return;
      onBox(next);
    }
    event.preventDefault();
  };
  return h(
    "g",
    { class: "frame", key: "frame", role: "button", tabindex: 0, "aria-label": say.frame, on: { keydown: keys } },
    h("rect", { class: "box place", x, y, width: w, height: h2, rx: unit / 2 }),
    [
      [x, y],
      [x + w, y],
      [x, y + h2],
      [x + w, y + h2],
    ].map(([cx, cy], n) =>
      h("g", { key: n, transform: `translate(${cx} ${cy})` }, h("circle", { class: "handle", r: 8 })),
    ),
  );
}

function around(die, side) {
  const { x, y, w, h: high } = outline(die, side);
  return { x, y, width: w, height: high };
}

/** A close-up of one die, cut from the picture; null without a picture. */
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

/** The box of a die added at a point: as large as the others, within the picture. */
export function boxAt(reading, [x, y]) {
  const side = Math.round(dieWidth(reading.dice) || reading.width / 22);
  const within = (value, most) => Math.round(Math.min(Math.max(value - side / 2, 0), most - side));
  return [within(x, reading.width), within(y, reading.height), side, side];
}
