// What a manager does on a tournament's page; only managers' phones load it.

import { h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { textAmong } from "../lobby/names.js";
import { INVITE, tableInvitation } from "../manager/invite.js";
import { ENTRANTS, entrantDesk } from "./entrants.js";
import { tablePlacement } from "./table-numbers.js";
import { RESULT, isAbout, openEntry, openGame, resultForm } from "./result.js";
import { tableButton } from "./seats.js";
import { STEPS, nextSteps } from "./steps.js";

/** Its part of the page's store. */
export const MANAGE = { ...INVITE, ...RESULT, ...STEPS, ...ENTRANTS };

/** The cards, and what stands at each table of a round. `send(where, path, body)` changes the tournament, `remove(where)` takes it away. */
export function managerCards(value, store, desk, { send, remove }) {
  const { tournament } = value;
  const take = (round, table) => {
    store.change({ entry: openGame(tournament, round.number, table), refused: null });
    requestAnimationFrame(() => document.querySelector(".entry")?.scrollIntoView({ block: "center" })); // once it is drawn
  };
  const enter = (round, table) =>
    tableButton(() => store.change({ entry: openEntry(round.number, table, tournament.entrants), refused: null }), { "data-enter": table.number }, table.places ? word.tournaments.correct : word.tournaments.enter);
  // A game that has ended at a table may be theirs under other names; of the present round the next steps ask.
  const endedGame = (round, table) =>
    table.ended && (tournament.closed || round.number < tournament.rounds.length) && [h("p", { key: "ended" }, h("bdi", {}, textAmong(table.ended.players, table.ended))), tableButton(() => take(round, table), { key: "take", "data-take": table.number }, word.tournaments.takeGame)];
  return {
    steps: nextSteps(value, store, { send, remove, take }),
    entrants: entrantDesk(value, store, send),
    placement: tablePlacement(value, send),
    invitation: tableInvitation(value, store, desk),
    of: (round) => ({ entry: (table) => isAbout(value.entry, round.number, table) && resultForm(value, store, send, table), more: (table) => [endedGame(round, table), enter(round, table)] }),
  };
}
