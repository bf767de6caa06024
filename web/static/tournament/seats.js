// Who sits where in a round, and "Where do I play?".

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { gameAddress } from "../lobby/names.js";
import { roundName, tableTitle } from "./names.js";

const KEPT = "perudo-tournament-name"; // the name that this phone has looked for
const MOST = 4; // names that a search shows

/** The search's part of a page's store. */
export const SEATS = { sought: remembered() };

function remembered() {
  try {
    return localStorage.getItem(KEPT) || "";
  } catch {
    return "";
  }
}

function seek(store, sought) {
  store.change({ sought });
  try {
    localStorage.setItem(KEPT, sought);
  } catch {
    // a browser that keeps nothing
  }
}

/** The tables of a round. `entry(table)`: a manager's form instead of the players; `more(table)`: a manager's buttons. */
export function seating(round, tables, { entry = () => null, more = () => null, level = "h3" } = {}) {
  return h(
    "ul",
    { class: "seating", key: "seating" },
    round.tables.map((table) => {
      const form = entry(table);
      return h(
        "li",
        { class: `sat${table.places ? " done" : ""}${form ? " open" : ""}`, key: table.number, "data-seating": table.number },
        h(level, {}, h("bdi", {}, tableTitle(tables, table))),
        form || (table.places ? placed(table) : h("ul", { class: "sitting", key: "sitting" }, table.players.map((name) => h("li", { key: name }, h("bdi", {}, name))))),
        table.game && !form && h("a", { class: "plain small", key: "game", href: gameAddress(table.game) }, word.tournaments.game),
        !form && more(table),
      );
    }),
  );
}

function placed({ places }) {
  let place = 1;
  const lines = places.flatMap((group) => {
    const here = place;
    place += group.length;
    return group.map((name) => h("li", { key: name, class: here === 1 ? "first" : "" }, h("span", { class: "place" }, here), h("bdi", {}, name)));
  });
  return h("ul", { class: "sitting", key: "placed" }, lines);
}

// Accents and capitals do not matter to who types on a phone.
const plain = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().trim();

function matching(names, sought) {
  const wanted = plain(sought);
  if (!wanted) return [];
  const exact = names.filter((name) => plain(name) === wanted);
  const starts = names.filter((name) => plain(name) !== wanted && plain(name).split(/\s+/).some((part, n, all) => all.slice(n).join(" ").startsWith(wanted)));
  return [...exact, ...starts].slice(0, MOST);
}

/** The search of a round. */
export function whereDoIPlay({ sought, tournament, tables }, store, round) {
  const found = matching(Object.keys(tournament.entrants), sought);
  const line = (name) => {
    const table = round.tables.find(({ players }) => players.includes(name));
    const others = table ? table.players.filter((other) => other !== name).join(", ") : "";
    return h(
      "li",
      { key: name, "data-found": name },
      table ? [h("span", { class: "finder" }, h("bdi", {}, name), " → ", h("strong", {}, h("bdi", {}, tableTitle(tables, table)))), others && h("small", { class: "quiet" }, h("bdi", {}, word.tournaments.together(others)))] : h("bdi", {}, word.tournaments.notDrawn(name)),
    );
  };
  return h(
    "div",
    { class: "search", key: "where" },
    h("label", { class: "field" }, h("span", {}, word.tournaments.where), h("input", { type: "text", value: sought, autocomplete: "off", maxlength: 40, placeholder: word.tournaments.yourName, "data-item": "where", on: { input: ({ target }) => seek(store, target.value) } })),
    h("div", { role: "status" }, found.length > 0 && h("ul", { class: "found", key: "found" }, found.map(line)), sought.trim() !== "" && found.length === 0 && h("p", { key: "none", class: "quiet" }, h("bdi", {}, word.tournaments.unknown(sought.trim())))),
  );
}

/** Rounds before the present one, each folded. */
export const earlierRounds = (rounds, tables, { more }) =>
  rounds.length > 0 &&
  h(
    "section",
    { class: "earlier", key: "earlier" },
    h("h2", {}, word.tournaments.earlier),
    [...rounds].reverse().map((round) => h("details", { class: "card folded", key: round.number, "data-round": round.number }, h("summary", {}, h("h3", {}, roundName(round.name))), seating(round, tables, { ...more(round), level: "h4" }))),
  );

/** A button that stands for a table's result. */
export const tableButton = (tap, props, text) => button("plain small", tap, { key: "enter", ...props }, text);
