// The judged picture close by: one tile for each player, cut to this player's dice, so that they can be recognized.

import { badges, dieWidth, outline } from "./badges.js";
import { h } from "../core/dom.js";
import { badge, mark, pictureUrl } from "./picture.js";
import { nearest } from "./gestures.js";
import { say } from "../languages/language.js";

// in die widths
const ROOM = 0.75; // round the dice, for their badges
const SPREAD = 7; // dice farther apart than this are shown in several tiles
const REACH = 3; // between two dice of one tile then
const NAME = 0.9; // the height of a name
const GAP = 0.22;
const LEAST = 3.4; // the sides of a tile
const ALONE = { w: 1.95, h: 1.5, left: 0.25 }; // of a tile with one die, which has its badge on the right
const LETTER = 0.62; // the width of a letter of size 1

/**
 * The tiles. `across(width, height, count)` gives how many fit in a row, for `count` tiles of that size in die widths. `alone`: a
 * tile for each die, without names, for a screen across the room. `highlight` highlights the dice that count; `onDie(die)` is
 * called for a tap on a die.
 */
export function tiles(state, { run, across, alone = false, highlight = false, onDie = null }) {
  const { reading, players } = state;
  const side = dieWidth(reading.dice);
  if (!side) return null;
  const parts = groups(reading, players).flatMap((group) => (alone ? group.dice.map((die) => [die]) : split(group.dice, side)).map((dice, n) => ({ ...group, dice, n, area: around(dice) })));
  const most = (length) => (alone ? ALONE[length] : Math.max(LEAST, ...parts.map(({ area }) => area[length] / side + 2 * ROOM)));
  const [width, height, above] = [most("w"), most("h"), alone ? 0 : NAME];
  const columns = Math.min(parts.length, across(width, height + above, parts.length));
  const rows = Math.ceil(parts.length / columns);
  const cell = { w: width + GAP, h: height + above + GAP };
  const size = [columns * cell.w - GAP, rows * cell.h - GAP];
  return h(
    "svg",
    { class: "tiles", key: `tiles-${reading.id}`, viewBox: `0 0 ${size[0]} ${size[1]}`, preserveAspectRatio: "xMinYMin meet", role: "img", "aria-label": say.judged },
    parts.map((part, n) => {
      const at = { x: (n % columns) * cell.w, y: Math.floor(n / columns) * cell.h };
      return tile(part, { at, width, height, above, side, alone, reading, run, highlight, onDie });
    }),
  );
}

/** For `across`: as many in a row as makes the dice largest in a box of this width, divided by its height. */
export const largest = (aspect) => (width, height, count) => {
  const scale = (columns) => Math.min(aspect / (columns * width), 1 / (Math.ceil(count / columns) * height));
  return Array.from({ length: count }, (_, n) => n + 1).reduce((best, columns) => (scale(columns) > scale(best) ? columns : best), 1);
};

// The dice by player, then those of nobody by their colour.
function groups({ dice }, players) {
  const owned = players.map(({ name, colour }) => ({ name, colour, dice: dice.filter((die) => die.player === name) }));
  const others = dice.filter((die) => !players.some(({ name }) => name === die.player));
  const colours = [...new Set(others.map((die) => die.colour))];
  const loose = colours.map((colour) => ({ name: say.colours[colour], colour, dice: others.filter((die) => die.colour === colour) }));
  return [...owned, ...loose].filter((group) => group.dice.length);
}

function around(dice) {
  const left = Math.min(...dice.map(({ box }) => box[0]));
  const top = Math.min(...dice.map(({ box }) => box[1]));
  const right = Math.max(...dice.map(({ box }) => box[0] + box[2]));
  const bottom = Math.max(...dice.map(({ box }) => box[1] + box[3]));
  return { x: left, y: top, w: right - left, h: bottom - top };
}

const middle = ({ box: [x, y, w, h2] }) => [x + w / 2, y + h2 / 2];

// Dice too far apart for one tile, as groups of neighbours.
function split(dice, side) {
  const { w, h: high } = around(dice);
  if (Math.max(w, high) <= SPREAD * side) return [dice];
  const left = [...dice];
  const found = [];
  while (left.length) {
    const here = [left.shift()];
    for (const die of here) {
      const [x, y] = middle(die);
      const near = (other) => Math.hypot(middle(other)[0] - x, middle(other)[1] - y) <= REACH * side;
      for (let n = left.length - 1; n >= 0; n -= 1) if (near(left[n])) here.push(...left.splice(n, 1));
    }
    found.push(here);
  }
  return found;
}

function tile(part, { at, width, height, above, side, alone, reading, run, highlight, onDie }) {
  const { dice, area, name, colour, n } = part;
  const view = { w: width * side, h: height * side };
  view.x = alone ? area.x - ALONE.left * side : area.x + area.w / 2 - view.w / 2;
  view.y = area.y + area.h / 2 - view.h / 2;
  const url = pictureUrl(reading, run);
  const key = `${name}-${n}`;
  const mask = `tile-${dice[0].id}`;
  const shown = badges(dice, alone ? dice : reading.dice, view, (die) => [die.uncertain ? "?" : mark(die)]);
  const bright = dice.filter((die) => !highlight || die.counts || die.uncertain);
  const tap = (event) => {
    const matrix = event.currentTarget.querySelector("g").getScreenCTM();
    const point = [(event.clientX - matrix.e) / matrix.a, (event.clientY - matrix.f) / matrix.d];
    const found = nearest(dice, point, side);
    if (found) onDie(found);
  };
  const lined = (die) => ({ ...sizes(outline(die, side)), rx: 0.12 * side });
  return h(
    "g",
    { class: `tile ${colour}`, key, transform: `translate(${at.x} ${at.y})` },
    above > 0 &&
      h(
        "svg",
        { class: "tilename", key: "name", width, height: above },
        h("rect", { class: "body", x: 0.03, y: 0.16, width: 0.52, height: 0.52, rx: 0.13 }),
        h("text", { x: 0.7, y: 0.63, "font-size": Math.max(0.42, Math.min(0.6, (width - 0.8) / (LETTER * name.length))) }, name),
      ),
    h(
      "svg",
      { class: `tilepicture${onDie ? " touch" : ""}`, key: "picture", y: above, width, height, viewBox: `${view.x} ${view.y} ${view.w} ${view.h}`, on: onDie ? { click: tap } : undefined },
      h(
        "g",
        {},
        h("rect", { class: "cloth", ...sizes(view) }),
        url && h("image", { href: url, width: reading.width, height: reading.height }),
        h(
          "mask",
          { id: mask },
          h("rect", { ...sizes(view), fill: "#fff" }),
          bright.map((die) => h("rect", { key: die.id, ...lined(die), fill: "#000" })),
        ),
        h("rect", { class: "shade", ...sizes(view), mask: `url(#${mask})` }),
        dice.map((die) => {
          const kind = die.uncertain ? "uncertain" : !highlight ? "" : die.counts ? "counts" : "other";
          return h(
            "g",
            { class: `boxed ${kind}`, key: die.id, "data-tile-die": die.id, "data-kind": kind },
            h("rect", { class: "box", ...lined(die) }),
            badge(shown.get(die.id)),
          );
        }),
      ),
    ),
    h("rect", { class: "rim", key: "rim", x: 0.04, y: above + 0.04, width: width - 0.08, height: height - 0.08, rx: 0.2 }),
  );
}

const sizes = ({ x, y, w, h: high }) => ({ x, y, width: w, height: high });
