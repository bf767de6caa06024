// Which of the club's tables is table 1, 2 and so on.

import { h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { inOrder } from "../lobby/tables.js";
import { choice, field, refusal } from "../manager/form.js";

/** The tables' ids, in the order of their numbers, after number `n` (from 0) has become `table`; the one there takes its place. */
export function swapped(placed, n, table) {
  const next = [...placed];
  const before = next.indexOf(table);
  if (before >= 0) next[before] = next[n];
  next[n] = table;
  return next;
}

/** A manager's card; nothing without tables or without a round. */
export function tablePlacement(value, send) {
  const { tournament, tables, busy } = value;
  const last = tournament.rounds[tournament.rounds.length - 1];
  const known = inOrder(tables || {});
  if (!last || tournament.closed || !known.length) return null;
  const placed = last.tables.map(({ table }) => table).filter(Boolean);
  const options = known.map(({ table, name }) => [table, name]);
  const line = ({ number, table }, n) =>
    field(
      number,
      word.tournaments.table(number),
      table || (n === placed.length && n < known.length)
        ? choice({ disabled: busy, "data-placement": number, on: { change: ({ target }) => target.value && send("placement", "tables", { tables: swapped(placed, n, target.value) }) } }, table || "", table ? options : [["", word.tournaments.noTable], ...options.filter(([id]) => !placed.includes(id))])
        : h("span", { class: "quiet" }, word.tournaments.noTable),
    );
  return h("details", { class: "card folded", key: "placement", "data-item": "placement" }, h("summary", {}, h("h2", {}, word.tournaments.placement)), h("div", { class: "row places" }, last.tables.map(line)), refusal(value, "placement"));
}
