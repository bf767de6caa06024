// The club's tables for a manager: one can be taken out, with its games or without.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { inOrder } from "../lobby/tables.js";
import { confirmation, refusal } from "./form.js";

/** Its part of a page's store: the table that may be taken out, and whether its games are to go with it. */
export const MEMBERS = { leaving: "", withGames: false };

/** The card; nothing without tables. */
export function memberDesk(value, store, desk) {
  const { club, tables, leaving, withGames, busy } = value;
  const found = inOrder(tables || {});
  if (!found.length) return null;
  const choose = (table) => store.change({ leaving: table, withGames: false, refused: null });
  const remove = async (table) => (await desk.post("members", `tables/${table}/remove`, { games: withGames })) && choose("");
  const games = () =>
    h(
      "label",
      { class: "field check", key: "games" },
      h("input", { type: "checkbox", checked: withGames, disabled: busy, "data-item": "with-games", on: { change: ({ target }) => store.change({ withGames: target.checked }) } }),
      h("span", {}, word.tournaments.withGames),
    );
  const sure = ({ table, name }) =>
    confirmation(
      withGames ? word.tournaments.sureToRemoveAll(name) : word.tournaments.sureToRemove(name),
      { leave: () => choose(""), no: { "data-item": "keep" } },
      { act: () => remove(table), look: "plain danger", yes: { "data-item": "remove", disabled: busy }, title: withGames ? word.tournaments.removeAll : word.tournaments.remove },
      games(),
    );
  const line = (each) =>
    leaving === each.table
      ? h("li", { key: each.table, "data-member": each.table }, sure(each))
      : h(
          "li",
          { key: each.table, "data-member": each.table },
          h("span", {}, h("a", { href: `/#games/${each.table}` }, h("bdi", {}, each.name)), !each.online && h("small", { class: "quiet", key: "away" }, ` ${word.lobby.away}`), club.left_out.includes(each.table) && h("small", { class: "quiet", key: "left-out" }, ` ${word.lobby.tableOut}`)),
          button("plain small", () => choose(each.table), { key: "remove", disabled: busy, "aria-label": word.tournaments.removes(each.name) }, word.tournaments.remove),
        );
  return h(
    "details",
    { class: "card folded", key: "members", "data-item": "members" },
    h("summary", {}, h("h2", {}, word.tournaments.members(found.length))),
    h("ul", { class: "leavers", key: "list" }, found.map(line)),
    h("p", { class: "quiet", key: "hint" }, word.tournaments.membersHint),
    refusal(value, "members"),
  );
}
