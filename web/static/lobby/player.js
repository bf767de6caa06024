// A player's page: place, rating and its curve, the opponents met most often, the games.

import { h } from "../core/dom.js";
import { language, word } from "../languages/language.js";
import { DESK, createDesk } from "../manager/desk.js";
import { BOOK_NAMES, nameDesk } from "../manager/book-names.js";
import { ask, openPage } from "./club.js";
import { gameList } from "./games.js";
import { figure, playerLink } from "./names.js";
import { ratingCurve } from "./rating-curve.js";

const name = new URLSearchParams(location.search).get("name") || "";

const { store } = openPage({ own: { player: undefined, ...DESK, ...BOOK_NAMES }, title: () => name || word.lobby.tabs.ranking, view, load });

const desk = createDesk(store);

async function load() {
  if (store.get().sure !== null) return; // the name may be gone already, and the page leaves for the new one
  store.change({ player: name ? await ask(`players/${encodeURIComponent(name)}`) : null });
}

function view(value) {
  const { player, tables, club } = value;
  if (player === undefined) return h("p", { class: "quiet connecting", key: "connecting" }, word.lobby.connecting);
  if (player === null) return [h("h1", { key: "name" }, h("bdi", {}, name)), h("p", { class: "card", key: "none" }, word.lobby.noPlayer(name))];
  return [
    h("h1", { key: "name" }, h("bdi", {}, player.name)),
    facts(player),
    h("section", { class: "card", key: "curve" }, h("h2", {}, word.lobby.curve), ratingCurve(player.curve)),
    player.opponents.length > 0 && opponents(player.opponents),
    h("h2", { key: "played" }, word.lobby.played),
    gameList(player.played.map(({ result }) => result), tables, ({ game }) => outcomeOf(player.played.find(({ result }) => result.game === game))),
    club && club.manager && nameDesk(value, store, desk, player.name),
  ];
}

function facts({ place, rating, uncertainty, games, won, provisional, beaten }) {
  const share = beaten === null ? "–" : beaten.toLocaleString(language, { style: "percent", maximumFractionDigits: 0 });
  const shown = [
    ["place", word.lobby.place, place === null ? "–" : place],
    ["rating", word.lobby.rating, [figure(rating), h("span", { class: "pm" }, ` ± ${figure(uncertainty)}`)]],
    ["games", word.lobby.games, games],
    ["won", word.lobby.won, won],
    ["beaten", word.lobby.beaten, share],
  ];
  return h(
    "section",
    { class: "card", key: "facts" },
    h("dl", { class: "numbers" }, shown.map(([key, title, value]) => h("div", { key, "data-fact": key }, h("dt", {}, title), h("dd", {}, value)))),
    provisional && h("p", { key: "provisional", class: "quiet" }, h("span", { class: "chip provisional" }, word.lobby.provisional), " ", word.lobby.provisionalMeans),
    h("p", { class: "quiet", key: "means" }, word.lobby.plusMinus, beaten !== null && ` ${word.lobby.beatenMeans}`),
  );
}

const opponents = (met) =>
  h(
    "section",
    { class: "card", key: "opponents" },
    h("h2", {}, word.lobby.opponents),
    h(
      "table",
      { class: "figures named" },
      h("thead", {}, h("tr", {}, [word.lobby.name, word.lobby.games, word.lobby.beat, word.lobby.lost].map((title, n) => h("th", { key: n, scope: "col", class: n ? "" : "who" }, title)))),
      h("tbody", {}, met.map((each) => h("tr", { key: each.name }, h("th", { scope: "row" }, playerLink(each)), [each.games, each.beaten, each.lost].map((value, n) => h("td", { key: n }, value))))),
    ),
  );

function outcomeOf({ place, result, before, after }) {
  const change = after - before;
  const signed = `${change > 0 ? "+" : change < 0 ? "−" : "±"}${figure(Math.abs(change))}`;
  return h("span", { class: "outcome-of", key: "outcome" }, place === null ? word.lobby.notRated : [word.lobby.placeOf(place, result.players.length), h("span", { class: `change ${change < 0 ? "bad" : "good"}` }, signed)]);
}
