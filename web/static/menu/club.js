// What a table's club says: who is drawn to play here next. On the page and the board; nothing follows from it without a tap.

import { button, h } from "../core/dom.js";
import { acts } from "../core/identity.js";
import { loadStyle } from "../core/lazy.js";
import { drawn } from "../game/players.js";
import { loadWords, word } from "../languages/language.js";

const NUMBERED = /^Round (\d+)$/;
const NAMED = { Final: "final", "Play-off": "playOff" };

/** Settles with the views, once their words and their style sheet are there. */
export async function ready() {
  await Promise.all([loadWords("club"), loadStyle(new URL("club.css", import.meta.url))]);
  return { card, choice, line, boardCard };
}

// The hub names the rounds in English.
function roundName(round) {
  const [, number] = NUMBERED.exec(round) || [];
  if (number) return word.club.rounds.round(number);
  return round in NAMED ? word.club.rounds[NAMED[round]] : round;
}

const heading = ({ round, tournament }) => word.club.heading(roundName(round), tournament);
const whole = (assigned) => word.club.whole(heading(assigned), word.club.play(assigned.players));

const between = ({ phase }) => phase === "seating" || phase === "over";
const sentence = (assigned) => word.club.next(heading(assigned), assigned.players);

/** Whether the game that goes on is that of those who are drawn: nobody else plays, or they all do. */
function isTheirs({ players }, { players: names }) {
  const there = players.map(({ name }) => name);
  return there.every((name) => names.includes(name)) || names.every((name) => there.includes(name));
}

// Who plays here after the game that goes on; null while dice are judged, so that nothing is over the reveal.
function afterwards(state) {
  const assigned = drawn(state);
  return assigned && ["rolling", "bidding"].includes(state.phase) && !isTheirs(state, assigned) ? assigned : null;
}

/**
 * Who is to play here next: between games as a card, while one goes on in a line; null if there is nobody. After a game it
 * has the way to theirs; before the first the form below is filled in.
 */
export function card({ state, store }) {
  const after = afterwards(state);
  if (after) return h("p", { class: "quiet afterwards", key: "afterwards" }, h("bdi", {}, sentence(after)));
  const assigned = between(state) ? drawn(state) : null;
  if (!assigned) return null;
  const open = () => store.change({ sheet: { kind: "game", players: assigned.players }, form: null });
  return h(
    "section",
    { class: "card assigned", key: "assigned" },
    h("h2", {}, h("bdi", {}, heading(assigned))),
    h("p", {}, h("bdi", {}, word.club.play(assigned.players))),
    state.phase === "over" && acts(store.get().me) && button("go", open, { key: "fill" }, word.club.setUp),
  );
}

/** In the form of a new game: whether it has those who are drawn or others, and the way from one to the other. */
export function choice({ state, form, refill }) {
  const assigned = drawn(state);
  if (!assigned) return null;
  return h(
    "div",
    { class: "row drawn", key: "drawn" },
    state.phase !== "seating" && h("p", {}, h("bdi", {}, heading(assigned))), // there the card has it
    form.others
      ? button("plain", () => refill(null), { key: "usual", "data-item": "usual" }, word.club.others)
      : button("plain", () => refill(assigned.players), { key: "drawn", "data-item": "drawn" }, word.club.setUp),
  );
}

/** The club, in the menu; during a game also whom it has sent here. */
export function line({ state }) {
  const { title, online } = state.club;
  const going = !between(state) && drawn(state);
  return h(
    "div",
    { class: "quiet clubline", key: "club", "data-item": "club" },
    going && h("p", {}, h("bdi", {}, `${whole(going)}.`)),
    h("p", {}, h("bdi", {}, online ? word.club.member(title) : word.club.away(title))),
  );
}

/** The same on the board; null if there is nobody to play next. */
export function boardCard(state) {
  const { palifico, camera, journal } = state;
  const after = palifico || !camera.ok || !journal.ok ? null : afterwards(state); // there is not the room for all
  if (after) return h("p", { class: "b-after", key: "after" }, h("bdi", {}, sentence(after)));
  const assigned = between(state) ? drawn(state) : null;
  if (!assigned) return null;
  if (state.phase === "over") return h("p", { class: "b-next", key: "next" }, h("bdi", {}, whole(assigned)));
  return h("section", { class: "b-next", key: "next" }, h("h2", {}, h("bdi", {}, heading(assigned))), h("p", {}, h("bdi", {}, word.club.play(assigned.players))));
}
