// The players in the order of the seats: name, dice in their colour, and what is up with them.

import { die } from "./dice.js";
import { h } from "./dom.js";
import { say } from "./words.js";

const judged = (state) => state.phase === "verdict" || (state.phase === "over" && Boolean(state.winner));

/** Whether a player is in the game; how many dice are left is not always everybody's to know (null). */
export const plays = (player) => player.dice !== 0;

/** Name -> the fewest first letters that tell the players apart: a colour alone tells nobody who sees no colours. */
export function initials(names) {
  const short = (name, n) => Array.from(name.trim()).slice(0, n).join("");
  const alone = (name, n) => names.every((other) => other === name || short(other, n) !== short(name, n));
  return new Map(names.map((name, seat) => [name, short(name, [1, 2, 3].find((n) => alone(name, n)) || 0) || String(seat + 1)]));
}

/** Every player as a tile; `own` is the player whose phone this is. In a verdict the die that goes away, or comes back, is
 * shown going. */
export function players(state, own = null) {
  const verdict = judged(state) ? state.verdict : null;
  return h(
    "ul",
    { class: `players n${state.players.length}`, "aria-label": say.seats, key: "players" },
    state.players.map((player) => tile(state, verdict, player, own)),
  );
}

function tile(state, verdict, player, own) {
  const { name, colour, dice } = player;
  const onTurn = state.turn === name && !verdict;
  const loses = Boolean(verdict) && verdict.loses === name;
  const gains = Boolean(verdict) && verdict.gains === name;
  const out = dice === 0;
  const known = dice; // null: not everybody's to know
  const rolls = Boolean(state.opening) && state.opening.rolling.includes(name);
  const notes = [];
  if (onTurn) notes.push(h("span", { class: "note turn" }, say.onTurn));
  if (state.call && state.call.player === name) notes.push(h("span", { class: "note call" }, state.call.kind));
  if (!verdict && state.bid && state.bid.player === name)
    notes.push(h("span", { class: "note bid" }, `${state.bid.count} × `, die(state.bid.face)));
  if (!verdict && state.phase !== "over" && state.starter === name && !onTurn && !(state.bid && state.bid.player === name))
    notes.push(h("span", { class: "note" }, say.opened));
  if (rolls) notes.push(h("span", { class: "note turn" }, say.rolls));
  if (out) notes.push(h("span", { class: "note" }, state.away.some((gone) => gone.name === name) ? say.away : say.out));
  const bodies = [];
  if (known === null) bodies.push(h("i", { class: `mini cup ${colour}` }));
  for (let n = 0; n < (known || 0); n += 1) bodies.push(h("i", { class: `mini ${colour}${gains && n === dice - 1 ? " comes" : ""}` }));
  if (loses) bodies.push(h("i", { class: `mini ${colour} goes` }));
  return h(
    "li",
    { class: `player${onTurn ? " on-turn" : ""}${out && !loses ? " is-out" : ""}${own === name ? " own" : ""}`, key: name },
    h("span", { class: "who" }, h("span", { class: "name", dir: "auto" }, name), own === name && !onTurn && h("span", { class: "you" }, say.you), notes),
    h("span", { class: "minis", role: "img", "aria-label": `${known === null ? say.hidden : say.dice(known)}, ${say.colours[colour]}` }, bodies),
  );
}

/** What every player's dice showed, as read: those that count stand out. */
export function shown(state) {
  const byPlayer = state.byhand
    ? state.players.map((p) => [p, (state.byhand[p.name] || []).map((face) => ({ face, counts: matches(state.verdict, face) }))])
    : state.players.map((p) => [p, state.reading ? state.reading.dice.filter((d) => d.player === p.name) : []]);
  const rows = byPlayer.filter(([, dice]) => dice.length > 0);
  if (!rows.length) return null;
  return h(
    "ul",
    { class: "shown", key: "shown" },
    rows.map(([player, dice]) =>
      h(
        "li",
        { key: player.name },
        h("span", { class: "name", dir: "auto" }, player.name),
        h(
          "span",
          { class: "faces" },
          [...dice]
            .sort((x, y) => x.face - y.face)
            .map(({ face, counts }, n) =>
              die(face, player.colour, { key: n, cls: !state.verdict ? "" : counts ? "counts" : "dim", label: counts ? `${face}, ${say.counts}` : String(face) }),
            ),
        ),
      ),
    ),
  );
}

const matches = (verdict, face) => Boolean(verdict) && (face === verdict.bid.face || (verdict.wild && face === 1));
