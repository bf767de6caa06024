// The club's tables for a manager: one can be taken out.

import { button, h } from "../core/dom.js";
import { lobbyWord, tournamentWord } from "../languages/lobby.js";
import { inOrder } from "../lobby/tables.js";
import { confirmation, refusal } from "./form.js";

/** Its part of a page's store: the table that may be taken out. */
export const MEMBERS = { leaving: "" };

/** The card; nothing without tables. */
export function memberDesk(value, store, desk) {
  const { tables, leaving, busy } = value;
  const found = inOrder(tables || {});
  if (!found.length) return null;
  const choose = (table) => store.change({ leaving: table, refused: null });
  const remove = async (table) => (await desk.post("members", `tables/${table}/remove`)) && choose("");
  const sure = ({ table, name }) =>
    confirmation(
      tournamentWord.sureToRemove(name),
      { leave: () => choose(""), no: { "data-item": "keep" } },
      { act: () => remove(table), look: "plain danger", yes: { "data-item": "remove", disabled: busy }, title: tournamentWord.remove },
    );
  const line = (each) =>
    leaving === each.table
      ? h("li", { key: each.table, "data-member": each.table }, sure(each))
      : h(
          "li",
          { key: each.table, "data-member": each.table },
          h("span", {}, h("bdi", {}, each.name), !each.online && h("small", { class: "quiet", key: "away" }, ` ${lobbyWord.away}`)),
          button("plain small", () => choose(each.table), { key: "remove", disabled: busy, "aria-label": tournamentWord.removes(each.name) }, tournamentWord.remove),
        );
  return h(
    "details",
    { class: "card folded", key: "members", "data-item": "members" },
    h("summary", {}, h("h2", {}, tournamentWord.members(found.length))),
    h("ul", { class: "leavers", key: "list" }, found.map(line)),
    refusal(value, "members"),
  );
}
