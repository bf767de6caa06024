// The standings: as a table, or ten at a time for a television; and who has won.

import { h } from "../core/dom.js";
import { language, textOf, word } from "../languages/language.js";
import { progressOf } from "./names.js";

const AT_ONCE = 10; // on a television
const LONG = 10; // letters; longer names are smaller on a television
const LONG_TITLE = 30;

const score = (n) => n.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Everybody's place. */
export function standingsTable(standings) {
  const { place, name } = word.lobby;
  const row = (each) =>
    h(
      "tr",
      { key: each.name, class: each.active ? "" : "has-left", "data-standing": each.name },
      h("td", { class: "place" }, each.place),
      h("th", { scope: "row" }, h("bdi", {}, each.name), !each.active && h("small", { class: "quiet", key: "gone" }, ` ${word.tournaments.gone}`)),
      h("td", {}, h("strong", {}, score(each.score))),
      h("td", {}, each.wins),
      h("td", {}, each.rounds),
    );
  return h(
    "section",
    { class: "card standings", key: "standings" },
    h("h2", {}, word.tournaments.standings),
    h(
      "table",
      { class: "figures named" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("abbr", { title: place, "aria-label": place }, "#")), [name, word.tournaments.score, word.tournaments.wins, word.tournaments.rounds].map((title, n) => h("th", { key: n, scope: "col", class: n ? "" : "who" }, title)))),
      h("tbody", {}, standings.map(row)),
    ),
    h("p", { class: "quiet means", key: "means" }, word.tournaments.means),
  );
}

/** Who has won a tournament that is closed, or was in the lead, as a sentence; "" while it is open, or without any result. */
export function outcomeOf({ closed, next }) {
  if (!closed) return "";
  const [{ sentence, said }] = next; // that it is closed, and then this
  return said.length > 1 ? textOf({ sentence: sentence.slice(said[0].msgid.length + 1), said: said.slice(1) }) : "";
}

/** How many pages of a television the standings have. */
export const standingsPages = ({ standings }) => Math.max(1, Math.ceil(standings.length / AT_ONCE));

/** The page `now` of them, from 0, for a television. */
export function standingsPage(tournament, now) {
  const { tournament: number, title, standings } = tournament;
  const shown = standings.slice(now * AT_ONCE, (now + 1) * AT_ONCE);
  const outcome = outcomeOf(tournament);
  const first = now * AT_ONCE + 1;
  const line = (each) =>
    h(
      "li",
      { key: each.name, class: `${each.active ? "" : "has-left"}${each.name.length > LONG ? " long" : ""}`, "data-standing": each.name },
      h("span", { class: "place" }, each.place),
      h("bdi", {}, each.name),
      h("strong", { class: "rating" }, score(each.score)),
    );
  return h(
    "aside",
    { class: "top-ten in-tournament", key: "standings", "aria-labelledby": "top-ten" },
    h("h2", { id: "top-ten", class: title.length > LONG_TITLE ? "long" : "" }, h("a", { href: `/tournament?n=${number}` }, h("bdi", {}, title))),
    outcome && h("p", { class: "outcome", key: "outcome" }, h("bdi", {}, outcome)),
    h("ol", { key: `page ${now}` }, shown.map(line)),
    h("p", { class: "means" }, h("span", { key: "round" }, progressOf(tournament)), standings.length > AT_ONCE && h("span", { key: "part" }, `${first}–${first + shown.length - 1} / ${standings.length}`)),
  );
}
