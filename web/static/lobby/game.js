// A game's page: the result, how it went, what should have been done, and the record to save.

import { button, h } from "../core/dom.js";
import { loadWords, word } from "../languages/language.js";
import { DESK, createDesk } from "../manager/desk.js";
import { gameDesk } from "../manager/game-desk.js";
import { reviewView } from "../past/review.js";
import { ask, gamePath, openPage } from "./club.js";
import { byPlace, ending } from "./games.js";
import { playerLink, tableName, textAmong, when } from "./names.js";

const id = new URLSearchParams(location.search).get("id") || "";
const UNKNOWN = undefined; // not asked for yet

const { store } = openPage({
  own: { game: UNKNOWN, reviewed: UNKNOWN, puzzle: undefined, ...DESK },
  title: ({ game }) => (game ? ending(game.result) : word.lobby.game),
  view,
  load,
});

const desk = createDesk(store);

async function load() {
  const [game] = await Promise.all([id ? ask(`games/${gamePath(id)}`) : null, words()]);
  store.change({ game });
  if (game !== null) store.change({ reviewed: await ask(`reviews/${gamePath(id)}`) });
}

const words = () => loadWords("past", "story-messages", "rules-messages").catch(() => {}); // then there is no review, and the story is in English

function view(value) {
  const { game, reviewed, puzzle, tables, club } = value;
  if (game === UNKNOWN) return h("p", { class: "quiet connecting", key: "connecting" }, word.lobby.connecting);
  if (game === null) return [h("h1", { key: "title" }, word.lobby.game), h("p", { class: "card", key: "none" }, word.lobby.noSuchGame)];
  const { result, record, story, said } = game;
  return [
    h("h1", { key: "title" }, h("bdi", {}, ending(result))),
    h("p", { class: "quiet", key: "when" }, h("a", { href: `/#games/${result.table}` }, h("bdi", {}, word.lobby.atTable(tableName(tables, result.table)))), ` · ${[when(result), word.lobby.rounds(result.rounds)].filter(Boolean).join(" · ")}`),
    places(result, club),
    word.past && review(result, reviewed, puzzle),
    story.length > 0 && h("details", { class: "card storyof", key: "story" }, h("summary", {}, h("h2", {}, word.lobby.story)), story.map((paragraph, n) => h("p", { key: n, dir: "auto" }, textAmong(result.players, { sentence: paragraph, said: word.past ? said[n] : [] })))),
    record.record.length > 0 && saving(record.record),
    club && club.manager && !club.left_out.includes(result.table) && gameDesk(value, desk, gamePath(id), (answer) => store.change({ game: answer })),
  ];
}

function places({ players, table, rated, left_out: leftOut }, club) {
  const why = club && club.left_out.includes(table) ? word.lobby.tableIsLeftOut : leftOut ? word.lobby.isLeftOut : word.lobby.unrated;
  return h(
    "section",
    { class: "card", key: "places" },
    h("h2", {}, word.lobby.places),
    h("ol", { class: "placed" }, byPlace(players).map((player) => h("li", { key: player.name, class: player.place === 1 ? "first" : "" }, h("span", { class: "place" }, player.place === null ? "–" : player.place), h("i", { class: `mini ${player.colour}`, "aria-hidden": "true" }), playerLink(player)))),
    !rated && h("p", { class: "quiet", key: "unrated" }, why),
  );
}

function review({ players }, found, puzzle) {
  const colours = Object.fromEntries(players.map(({ name, colour }) => [name, colour]));
  const none = found === null || (found && !found.players);
  return h(
    "section",
    { class: "card reviewed-game", key: "review" },
    h("h2", {}, word.lobby.review),
    found === UNKNOWN ? h("p", { class: "quiet" }, word.past.review.thinking) : none ? h("p", { class: "quiet" }, word.lobby.noReview) : reviewView(found, { colours, puzzle, change: (next) => store.change({ puzzle: next }) }),
  );
}

// The record, as `perudo replay` and `perudo import` take it: a file for each part.

function saving(parts) {
  return h(
    "section",
    { class: "card", key: "record" },
    h("h2", {}, word.lobby.record),
    parts.length > 1 && h("p", { class: "quiet", key: "parts" }, word.lobby.recordParts),
    h("div", { class: "row" }, parts.map((part, n) => button("plain", () => save(part, n), { key: n, "data-part": n }, parts.length > 1 ? word.lobby.savePart(n + 1) : word.lobby.saveRecord))),
  );
}

function save(part, n) {
  const address = URL.createObjectURL(new Blob([`${part.join("\n")}\n`], { type: "application/jsonl" }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: `perudo-${id.replace(/[^0-9A-Za-z.-]+/g, "-")}${n ? `-${n + 1}` : ""}.jsonl` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

