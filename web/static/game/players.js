// The players round the table: name, dice in their colour, and status.

import { h } from "../core/dom.js";
import { say } from "../languages/language.js";

const judged = (state) => state.phase === "verdict" || (state.phase === "over" && Boolean(state.winner));

/** Whether a player is in the game; a hidden number of dice is null. */
export const plays = (player) => player.dice !== 0;

/** Whom the table's club has drawn to play here next: {tournament, round, players}; null if nobody. */
export const drawn = ({ club }) => (club && club.assignment && club.assignment.players.length ? club.assignment : null);

/** How many dice are on the table; null if the lost dice are hidden. */
export const onTheTable = ({ players: all }) => (all.every(({ dice }) => dice !== null) ? all.reduce((sum, { dice }) => sum + dice, 0) : null);

/** The most dice that a player can have in this game. */
export const diceEach = ({ rules = [] }) => (rules.find(({ rule }) => rule === "dice_each") || { value: 5 }).value;

/** Name -> the fewest first letters that tell the players apart, for those who cannot see the colours. */
export function initials(names) {
  const short = (name, n) => Array.from(name.trim()).slice(0, n).join("");
  const alone = (name, n) => names.every((other) => other === name || short(other, n) !== short(name, n));
  return new Map(names.map((name, seat) => [name, short(name, [1, 2, 3].find((n) => alone(name, n)) || 0) || String(seat + 1)]));
}

/** Where the players sit, clockwise from the bottom, seen from above: as many as play, spread round the table. */
export const PLACES = {
  2: ["b", "t"],
  3: ["b", "tl", "tr"],
  4: ["b", "l", "t", "r"],
  5: ["b", "l", "tl", "tr", "r"],
  6: ["b", "l", "tl", "t", "tr", "r"],
  7: ["b", "bl", "l", "tl", "tr", "r", "br"],
  8: ["b", "bl", "l", "tl", "t", "tr", "r", "br"],
};

/** Who is on turn after `turn`, among those who play; null if nobody else does. */
export function nextOf({ players: all, turn, direction }) {
  const round = direction === "counterclockwise" ? [...all].reverse() : all;
  const at = round.findIndex(({ name }) => name === turn);
  const next = [...round.slice(at + 1), ...round.slice(0, Math.max(at, 0))].find(plays);
  return at >= 0 && next ? next.name : null;
}

/**
 * The table from above: everybody round it in the order of the seats, with `own`, the player of this phone, at the bottom,
 * and `centre` in its middle. A verdict shows the die that is lost or taken back.
 * `on`, if given, gets the name of the player whose seat was tapped.
 */
export function players(state, own = null, on = null, centre = null) {
  const { players: all } = state;
  const places = PLACES[all.length] || PLACES[8];
  const first = Math.max(all.findIndex(({ name }) => name === own), 0);
  const signs = initials(all.map(({ name }) => name));
  return h(
    "div",
    { class: `table n${all.length}${centre ? "" : " bare"}`, key: "table" },
    centre,
    h(
      "ul",
      { class: "players", "aria-label": say.seats, key: "players" },
      all.map((player, n) => seat(state, player, { own, on, sign: signs.get(player.name), place: places[(n - first + all.length) % all.length] })),
    ),
  );
}

function seat(state, player, { own, on, sign, place }) {
  const { name, colour, dice } = player;
  const verdict = judged(state) ? state.verdict : null;
  const bidding = ["bidding", "asking"].includes(state.phase);
  const onTurn = state.turn === name && !verdict;
  const loses = Boolean(verdict) && verdict.loses === name;
  const gains = Boolean(verdict) && verdict.gains === name;
  const out = dice === 0; // null: hidden
  const robot = Boolean(state.robots && state.robots[name]);
  const note = (cls, text) => h("span", { class: `note ${cls}`, key: cls }, text);
  const bodies = [];
  if (dice === null) bodies.push(h("i", { class: `mini cup ${colour}` }));
  for (let n = 0; n < (dice || 0); n += 1) bodies.push(h("i", { class: `mini ${colour}${gains && n === dice - 1 ? " comes" : ""}` }));
  if (loses) bodies.push(h("i", { class: `mini ${colour} goes` }));
  const content = [
    h("span", { class: `disc ${colour}`, "aria-hidden": "true", "data-sign": sign, key: "disc" }),
    h("span", { class: "who", key: "who" }, h("span", { class: "name", dir: "auto" }, name), own === name && h("span", { class: "you" }, say.you)),
    robot && note("hidden", say.robot),
    onTurn && note("turn hidden", say.onTurn),
    bidding && nextOf(state) === name && note("next", say.isNext),
    state.call && state.call.player === name && note("call", state.call.kind),
    Boolean(state.opening) && state.opening.rolling.includes(name) && note("rolls", say.rolls),
    out && !loses
      ? note("gone", state.away.some((gone) => gone.name === name) ? say.away : say.out)
      : h("span", { class: "minis", role: "img", "aria-label": `${dice === null ? say.hidden : say.dice(dice)}, ${say.colours[colour]}`, key: "minis" }, bodies),
  ];
  return h(
    "li",
    { class: `player at-${place}${onTurn ? " on-turn" : ""}${out && !loses ? " is-out" : ""}${own === name ? " own" : ""}${robot ? " robot" : ""}`, key: name },
    on
      ? h("button", { type: "button", class: "about", key: "about", "data-about": name, "aria-haspopup": "dialog", on: { click: () => on(name) } }, content)
      : h("span", { class: "about", key: "about" }, content),
  );
}
