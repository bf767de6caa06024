// A tournament's page: the present round and the standings for everybody, and what a manager does.

import { h } from "../core/dom.js";
import { lazy } from "../core/lazy.js";
import { word } from "../languages/language.js";
import { ask, openPage } from "../lobby/club.js";
import { DESK, createDesk } from "../manager/desk.js";
import { entrantList } from "./entrant-list.js";
import { MANAGER, managerDoor } from "../manager/door.js";
import { factsOf, roundName } from "./names.js";
import { SEATS, earlierRounds, seating, whereDoIPlay } from "./seats.js";
import { outcomeOf, standingsTable } from "./standings.js";

const number = Number(new URLSearchParams(location.search).get("n")) || 0;

const { store } = openPage({
  own: { tournament: undefined, ...DESK, ...MANAGER, ...SEATS },
  title: ({ tournament }) => (tournament ? tournament.title : word.lobby.tabs.tournaments),
  back: "/#tournaments",
  view,
  load,
});
const desk = createDesk(store);
document.documentElement.classList.add("evening");

async function load() {
  let tournament;
  while (tournament === undefined) tournament = await desk.fresh(() => ask(`tournaments/${number}`));
  store.change({ tournament });
}

const manage = lazy(() => import("./manage.js").then((module) => (store.change(module.MANAGE), module)));

/** Change the tournament; whether it was done. */
async function send(where, path, body) {
  const tournament = await desk.post(where, `tournaments/${number}/${path}`, body);
  if (tournament) store.change({ tournament });
  return tournament !== null;
}

/** Take the tournament away, and go back to the others. */
async function remove(where) {
  if (await desk.post(where, `tournaments/${number}/remove`)) location.href = "/#tournaments";
}

function view(value) {
  const { tournament, tables, club } = value;
  if (tournament === undefined) return h("p", { class: "quiet connecting", key: "connecting" }, word.lobby.connecting);
  if (tournament === null) return [h("h1", { key: "title" }, word.lobby.tabs.tournaments), h("p", { class: "card", key: "none" }, word.tournaments.missing)];
  const { rounds, standings, closed } = tournament;
  const manages = Boolean(club && club.manager);
  const cards = manages ? manage.use(store, ({ managerCards }) => managerCards(value, store, desk, { send, remove }), (waiting) => ({ steps: waiting })) : {};
  const now = rounds[rounds.length - 1];
  const begun = rounds.some((round) => round.tables.some(({ places }) => places));
  const of = cards.of || (() => ({}));
  return [
    h("div", { class: "titled", key: "title" }, h("h1", {}, h("bdi", {}, tournament.title)), h("p", { class: "quiet" }, factsOf(tournament))),
    !manages && outcomeOf(tournament) && h("p", { class: "card outcome", key: "outcome" }, h("bdi", {}, outcomeOf(tournament))),
    cards.steps,
    !now && cards.entrants,
    h(
      "div",
      { class: `beside${now && begun ? " two" : ""}${closed ? " closed" : ""}`, key: "now" },
      now && begun && closed && standingsTable(standings),
      now ? present(value, now, of(now)) : h("section", { class: "round", key: "round" }, h("p", { class: "card quiet" }, word.tournaments.noRound)),
      now && begun ? !closed && standingsTable(standings) : !now && !manages && Object.keys(tournament.entrants).length > 0 && entrantList(tournament),
    ),
    earlierRounds(rounds.slice(0, -1), tables, { more: of }),
    now && cards.entrants,
    cards.placement,
    cards.invitation,
    managerDoor(value, store, desk),
  ];
}

const present = (value, round, more) =>
  h("section", { class: "round", key: "round", "data-now": round.number }, h("h2", {}, roundName(round.name)), !value.tournament.closed && round.tables.length > 1 && whereDoIPlay(value, store, round), seating(round, value.tables, more));
