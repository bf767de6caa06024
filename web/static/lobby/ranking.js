// The ranking: all players as a table, or the first ten for a television.

import { h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { figure, playerLink } from "./names.js";

const TOP = 10;
const LONG = 8; // letters; longer names are smaller on a television

const none = () => h("p", { class: "card quiet", key: "none" }, word.lobby.noRanking);
const provisional = () => h("span", { class: "chip provisional", key: "provisional" }, word.lobby.provisional);

/** Everybody. */
export function rankingTable(players) {
  if (!players.length) return none();
  const { place, name, rating, games, won } = word.lobby;
  return h(
    "section",
    { class: "card ranking", key: "ranking" },
    h(
      "table",
      { class: "figures named" },
      h("caption", { class: "quiet" }, word.lobby.plusMinus, " ", players.some((each) => each.provisional) && word.lobby.provisionalMeans),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("abbr", { title: place, "aria-label": place }, "#")), [name, rating, games, won].map((title, n) => h("th", { key: n, scope: "col", class: ["who", "", "", "wins"][n] }, title)))),
      h("tbody", {}, players.map(row)),
    ),
  );
}

const row = (player) =>
  h(
    "tr",
    { key: player.name, class: player.provisional ? "unsure" : "", "data-player": player.name },
    h("td", { class: "place" }, player.place),
    h("th", { scope: "row" }, playerLink(player), player.provisional && provisional()),
    h("td", {}, h("strong", {}, figure(player.rating)), h("span", { class: "pm" }, ` ± ${figure(player.uncertainty)}`)),
    h("td", {}, player.games),
    h("td", { class: "wins" }, player.won),
  );

/** The first ten, large. */
export function topTen(players) {
  const shown = players.slice(0, TOP);
  return h(
    "aside",
    { class: "top-ten", key: "top", "aria-labelledby": "top-ten" },
    h("h2", { id: "top-ten" }, word.lobby.tabs.ranking),
    shown.length ? h("ol", {}, shown.map(line)) : none(),
    shown.some((each) => each.provisional) && h("p", { class: "means", key: "means" }, h("span", { class: "doubt", "aria-hidden": "true" }, "? "), word.lobby.provisionalShort),
  );
}

const line = (player) =>
  h(
    "li",
    { key: player.name, class: `${player.provisional ? "unsure" : ""}${player.name.length > LONG ? " long" : ""}`, "data-player": player.name },
    h("span", { class: "place" }, player.place),
    playerLink(player),
    h("strong", { class: "rating" }, figure(player.rating), player.provisional && [h("span", { class: "doubt", "aria-hidden": "true" }, "?"), h("span", { class: "hidden" }, ` ${word.lobby.provisional}`)]),
    h("span", { class: "details" }, `± ${figure(player.uncertainty)} · ${word.lobby.gamesOf(player.games)}`),
  );
