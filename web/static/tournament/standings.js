// The standings as a table.

import { h } from "../core/dom.js";
import { lobbyWord, tournamentWord } from "../languages/lobby.js";
import { language } from "../languages/language.js";

const score = (n) => n.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Everybody's place. */
export function standingsTable(standings) {
  const { place, name } = lobbyWord;
  const row = (each) =>
    h(
      "tr",
      { key: each.name, class: each.active ? "" : "has-left", "data-standing": each.name },
      h("td", { class: "place" }, each.place),
      h("th", { scope: "row" }, h("bdi", {}, each.name), !each.active && h("small", { class: "quiet", key: "gone" }, ` ${tournamentWord.gone}`)),
      h("td", {}, h("strong", {}, score(each.score))),
      h("td", {}, each.wins),
      h("td", {}, each.rounds),
    );
  return h(
    "section",
    { class: "card standings", key: "standings" },
    h("h2", {}, tournamentWord.standings),
    h(
      "table",
      { class: "figures named" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("abbr", { title: place, "aria-label": place }, "#")), [name, tournamentWord.score, tournamentWord.wins, tournamentWord.rounds].map((title, n) => h("th", { key: n, scope: "col", class: n ? "" : "who" }, title)))),
      h("tbody", {}, standings.map(row)),
    ),
    h("p", { class: "quiet means", key: "means" }, tournamentWord.means),
  );
}
