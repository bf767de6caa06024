// Games that ended, as a list of links.

import { h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { called, gameAddress, tableName, when } from "./names.js";

/** The list; `of(game)` says more of each. */
export function gameList(games, tables, of = () => null) {
  if (!games.length) return h("p", { class: "card quiet", key: "none" }, word.lobby.noGames);
  return h("ul", { class: "gamelist", key: "games" }, games.map((game) => h("li", { key: game.game }, h("a", { class: "plain pastgame", href: gameAddress(game.game), "data-game": game.game }, outline(game, tables), of(game)))));
}

/** Who won, as a sentence. */
export function ending({ players }) {
  const winner = players.find(({ place }) => place === 1);
  return winner ? word.lobby.wonBy(called(winner)) : word.lobby.ended;
}

/** The players, the best first where there are places. */
export const byPlace = (players) => [...players].sort((a, b) => (a.place || 0) - (b.place || 0));

const outline = (game, tables) => [
  h("strong", { key: "end" }, h("bdi", {}, ending(game))),
  h("span", { key: "players" }, byPlace(game.players).map((player, n) => [n ? ", " : "", h("bdi", { key: player.name }, called(player))])),
  h("small", { class: "quiet", key: "when" }, h("bdi", {}, tableName(tables, game.table)), ` · ${[when(game), word.lobby.rounds(game.rounds)].filter(Boolean).join(" · ")}`),
];
