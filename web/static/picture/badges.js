// Where the label of each die goes: beside its box, not over it, and not over another die. Pure; in pixels of the picture.

const SIZE = 0.3; // half the height of a badge, in die widths
const WIDER = 0.17; // more half width for every further letter
const LINE = 0.07; // from a die to the line round it, in die widths

/** The usual width of the dice. */
export function dieWidth(dice) {
  const sides = dice.map((die) => Math.max(die.box[2], die.box[3])).sort((a, b) => a - b);
  return sides.length ? sides[Math.floor(sides.length / 2)] : 0;
}

const over = (a, b) => Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) * Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));

/**
 * Die's id -> `{x, y, half, r, text}`: the middle of its badge, half its width and half its height. `textOf(die)` gives the
 * parts of its text. `all` are the dice to keep clear of; no badge goes outside `area`, `{x, y, w, h}`.
 */
export function badges(dice, all, area, textOf) {
  const side = dieWidth(all);
  const r = SIZE * side;
  const blocks = all.map((die) => outline(die, side));
  const found = new Map();
  for (const die of dice) {
    const text = textOf(die);
    found.set(die.id, place(outline(die, side), text, { blocks, area, r, half: r + WIDER * side * (text.join("").length - 1) }));
  }
  return found;
}

/** The line round a die, `{x, y, w, h}`. */
export function outline({ box: [x, y, w, h] }, side) {
  const more = LINE * side;
  return { x: x - more, y: y - more, w: w + 2 * more, h: h + 2 * more };
}

function place({ x, y, w, h }, text, { blocks, area, r, half }) {
  const across = [x - half, x + w / 2, x + w + half];
  const down = [y - r, y + h / 2, y + h + r];
  const ways = [[2, 0], [0, 0], [2, 2], [0, 2], [2, 1], [0, 1], [1, 0], [1, 2]];
  let best = null;
  for (const [col, row] of ways) {
    const at = { x: across[col], y: down[row] };
    const rect = { x: at.x - half, y: at.y - r, w: 2 * half, h: 2 * r };
    const outside = rect.w * rect.h - over(rect, area);
    const cost = outside + blocks.reduce((sum, block) => sum + over(rect, block), 0);
    if (!best || cost < best.cost - 1e-6) best = { cost, rect, ...at };
  }
  blocks.push(best.rect); // the next badge keeps clear of this one
  return { x: best.x, y: best.y, half, r, text };
}
