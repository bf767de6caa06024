// The players, round the table or in rows: a disc in their colour, their name and their dice.

import { die } from "../core/dice.js";
import { h } from "../core/dom.js";
import { PLACES, initials } from "../game/players.js";
import { say } from "../languages/language.js";

/** A function that draws the disc of the player of a name: the colour, and the first letters for those who cannot see it. */
export function discs(players) {
  const letters = initials(players.map(({ name }) => name));
  const colours = new Map(players.map(({ name, colour }) => [name, colour]));
  return (name, out = false) => h("span", { class: `b-disc ${colours.get(name) || ""}${out ? " hollow" : ""}`, key: "disc", "aria-hidden": "true" }, letters.get(name));
}

/** The players and their dice; `round`: at their places round the table. */
export function seats(state, show, { round = false } = {}) {
  const { players } = state;
  const places = round ? PLACES[players.length] : [];
  const sign = discs(players);
  return h(
    "ul",
    { class: `b-seats n${players.length}`, key: "seats", "aria-label": say.seats },
    players.map((player, n) => seat(state, player, show, { sign, place: places[n] })),
  );
}

function seat(state, player, show, { sign, place }) {
  const { name, colour, dice } = player;
  const judged = ["verdict", "over"].includes(state.phase) ? state.verdict : null;
  const onTurn = state.turn === name && !judged;
  const rolls = Boolean(state.opening) && state.opening.rolling.includes(name);
  const loses = Boolean(judged) && judged.loses === name;
  const gains = Boolean(judged) && judged.gains === name;
  const out = dice === 0 && !loses;
  const away = state.away.some((gone) => gone.name === name);
  const marks = [colour, place && `at-${place}`, (onTurn || rolls) && "on-turn", out && "is-out", loses && "loses", gains && "gains", state.winner === name && "wins"];
  return h(
    "li",
    { class: `b-seat ${marks.filter(Boolean).join(" ")}`, key: name },
    h("span", { class: "b-player" }, sign(name, out), h("span", { class: `b-name${name.length > 12 ? " longest" : name.length > 7 ? " long" : ""}` }, h("bdi", {}, name)), onTurn && h("span", { class: "hidden", key: "turn" }, say.onTurn), rolls && h("span", { class: "hidden", key: "rolls" }, say.rolls)),
    h(
      "span",
      { class: "b-dice" },
      h("span", { class: "b-bodies", role: "img", "aria-label": `${dice === null ? say.hidden : say.dice(dice)}, ${say.colours[colour]}` }, bodies(state, player, judged, { loses, gains, show })),
      out && h("span", { class: "b-note", key: "note" }, away ? say.away : say.out),
    ),
  );
}

// A player's dice: their faces once they lie open, else blank ones, or a cup if their number is hidden. The lost one is
// struck out: of open dice the last.
function bodies(state, { name, colour, dice: number }, judged, { loses, gains, show }) {
  const rolled = state.phase === "rolling" && state.opening.rolls.length ? state.opening.rolls[state.opening.rolls.length - 1][name] : null;
  if (rolled) return rolled.map((face, n) => die(face, colour, { key: n }));
  const dice = show ? show.openDice(state, name) : [];
  if (dice.length)
    return [loses ? [dice.slice(0, -1), h("span", { class: "goes", key: "goes" }, dice[dice.length - 1])] : dice, gains && h("i", { class: "mini comes", key: "comes" })];
  if (number === null) return h("i", { class: "mini cup", key: "cup" });
  return [Array.from({ length: number }, (_, n) => h("i", { class: `mini${gains && n === number - 1 ? " comes" : ""}`, key: n })), loses && h("i", { class: "mini goes", key: "goes" })];
}
