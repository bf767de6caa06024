// Whether the games of a table count, for a manager: all of them are left out, or count again, together.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { tableName } from "../lobby/names.js";
import { confirmation, refusal } from "./form.js";

/** Its part of a page's store: the table whose games may be left out. */
export const TABLE_DESK = { leavingOut: "" };

/** The card below the games of a table. */
export function tableDesk(value, store, desk, table) {
  const { club, tables, leavingOut, busy } = value;
  const out = club.left_out.includes(table);
  const ask = (wanted) => store.change({ leavingOut: wanted, refused: null });
  const count = async (counts) => {
    const answer = await desk.post("table", `tables/${table}/count`, { counts });
    if (answer) store.change({ club: answer, leavingOut: "" });
  };
  return h(
    "section",
    { class: "card", key: "table-desk" },
    refusal(value, "table"),
    leavingOut === table && !out
      ? confirmation(
          word.lobby.sureToLeaveOut(tableName(tables, table)),
          { leave: () => ask(""), no: { "data-item": "keep-games" } },
          { act: () => count(false), yes: { "data-item": "sure-to-leave-out", disabled: busy }, title: word.lobby.leaveOutTable },
        )
      : button("plain", () => (out ? count(true) : ask(table)), { key: "count", disabled: busy, "data-item": "count-table" }, out ? word.lobby.countTable : word.lobby.leaveOutTable),
  );
}
