// What a table's club says: who is to play here next. On the page and the board; nothing follows from it without a tap.

import { button, h } from "../core/dom.js";
import { acts } from "../core/identity.js";
import { loadStyle } from "../core/lazy-style.js";
import { clubWord, loadClubWords } from "../languages/club.js";

const NUMBERED = /^Round (\d+)$/;
const NAMED = { Final: "final", "Play-off": "playOff" };

/** Settles with the views, once their words and their style sheet are there. */
export async function ready() {
  await Promise.all([loadClubWords(), loadStyle(new URL("club.css", import.meta.url))]);
  return { card, line, boardCard };
}

const redraw = (store) => loadClubWords().then((other) => other && store.change({}), () => {}); // otherwise it stays in the language it has

// The hub names the rounds in English.
function roundName(round) {
  const [, number] = NUMBERED.exec(round) || [];
  if (number) return clubWord.rounds.round(number);
  return round in NAMED ? clubWord.rounds[NAMED[round]] : round;
}

const heading = ({ round, tournament }) => clubWord.heading(roundName(round), tournament);
const whole = (assigned) => clubWord.whole(heading(assigned), clubWord.play(assigned.players));

/** Who is to play here next; null while a game goes on. */
export function assignmentOf({ club, phase }) {
  const between = phase === "seating" || phase === "over";
  return between && club && club.assignment && club.assignment.players.length ? club.assignment : null;
}

/** Who is to play here next, and the way to their game; null if there is nobody. */
export function card({ state, store }) {
  redraw(store);
  const assigned = assignmentOf(state);
  if (!assigned) return null;
  const open = () => store.change({ sheet: { kind: "game", players: assigned.players }, form: null });
  return h(
    "section",
    { class: "card assigned", key: "assigned" },
    h("h2", {}, h("bdi", {}, heading(assigned))),
    h("p", {}, h("bdi", {}, clubWord.play(assigned.players))),
    acts(store.get().me) && button("go", open, { key: "fill" }, clubWord.setUp),
  );
}

/** The club, in the menu; during a game also whom it has sent here. */
export function line({ state, store }) {
  redraw(store);
  const { title, online, assignment } = state.club;
  const going = assignment && assignment.players.length > 0 && !assignmentOf(state);
  return h(
    "div",
    { class: "quiet clubline", key: "club", "data-item": "club" },
    going && h("p", {}, h("bdi", {}, `${whole(assignment)}.`)),
    h("p", {}, h("bdi", {}, online ? clubWord.member(title) : clubWord.away(title))),
  );
}

/** The card on the board; null if there is nobody to play next. */
export function boardCard(state, redrawn) {
  loadClubWords().then((other) => other && redrawn(), () => {});
  const assigned = assignmentOf(state);
  if (!assigned) return null;
  if (state.phase === "over") return h("p", { class: "b-next", key: "next" }, h("bdi", {}, whole(assigned)));
  return h("section", { class: "b-next", key: "next" }, h("h2", {}, h("bdi", {}, heading(assigned))), h("p", {}, h("bdi", {}, clubWord.play(assigned.players))));
}
