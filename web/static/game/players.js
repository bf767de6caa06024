// The players in the order of the seats: name, dice in their colour, and status.

import { die } from "../core/dice.js";
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

/**
 * Every player as a tile; `own` is the player whose phone this is. A verdict shows the die that is lost or taken back.
 * `on`, if given, has `tap`, which gets the name of the player whose tile was tapped, and `focus`.
 */
export function players(state, own = null, on = null) {
  const verdict = judged(state) ? state.verdict : null;
  return h(
    "ul",
    { class: `players n${state.players.length}`, "aria-label": say.seats, key: "players" },
    state.players.map((player) => tile(state, verdict, player, own, on)),
  );
}

function tile(state, verdict, player, own, on) {
  const { name, colour, dice } = player;
  const onTurn = state.turn === name && !verdict;
  const loses = Boolean(verdict) && verdict.loses === name;
  const gains = Boolean(verdict) && verdict.gains === name;
  const out = dice === 0; // null: hidden
  const rolls = Boolean(state.opening) && state.opening.rolling.includes(name);
  const notes = [];
  if (state.robots && state.robots[name]) notes.push(h("span", { class: "note" }, say.robot));
  if (onTurn) notes.push(h("span", { class: "note turn" }, say.onTurn));
  if (state.call && state.call.player === name) notes.push(h("span", { class: "note call" }, state.call.kind));
  if (!verdict && state.bid && state.bid.player === name)
    notes.push(h("span", { class: "note bid" }, `${state.bid.count} × `, die(state.bid.face)));
  if (!verdict && state.phase !== "over" && state.starter === name && !(state.bid ? state.bid.player === name : onTurn))
    notes.push(h("span", { class: "note" }, say.opened));
  if (rolls) notes.push(h("span", { class: "note turn" }, say.rolls));
  if (out) notes.push(h("span", { class: "note" }, state.away.some((gone) => gone.name === name) ? say.away : say.out));
  const bodies = [];
  if (dice === null) bodies.push(h("i", { class: `mini cup ${colour}` }));
  for (let n = 0; n < (dice || 0); n += 1) bodies.push(h("i", { class: `mini ${colour}${gains && n === dice - 1 ? " comes" : ""}` }));
  if (loses) bodies.push(h("i", { class: `mini ${colour} goes` }));
  const content = [
    h("span", { class: "who" }, h("span", { class: "name", dir: "auto" }, name), own === name && h("span", { class: "you" }, say.you), notes),
    h("span", { class: "minis", role: "img", "aria-label": `${dice === null ? say.hidden : say.dice(dice)}, ${say.colours[colour]}` }, bodies),
  ];
  return h(
    "li",
    { class: `player${onTurn ? " on-turn" : ""}${out && !loses ? " is-out" : ""}${own === name ? " own" : ""}`, key: name },
    on
      ? h("button", { type: "button", class: "about", key: "about", "data-about": name, "aria-haspopup": "dialog", on: { click: () => on.tap(name), focus: on.focus } }, content)
      : content,
  );
}
