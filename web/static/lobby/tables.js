// All tables: a list on a phone, a grid on a television, where more than fit turn their pages by themselves.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { tableCard } from "./table-card.js";

const MOST = 12; // tables at a glance
const FEW = 4; // with more, cards say less
const SOME = 6; // with more, still less
const ACROSS = [1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4]; // number of cards -> columns

/** The tables in a steady order: by name, those of which nothing was heard at the end. */
export function inOrder(tables) {
  const heard = ({ online, state }) => Number(!(online || state));
  const by = (a, b) => heard(a) - heard(b) || a.name.localeCompare(b.name, undefined, { numeric: true }) || (a.table < b.table ? -1 : 1);
  return Object.values(tables).sort(by);
}

/** How many pages a television needs for so many tables. */
export const pagesFor = (count) => Math.max(1, Math.ceil(count / MOST));

const none = () => h("div", { class: "card nothing", key: "none" }, h("p", {}, word.lobby.noTables), h("p", { class: "quiet" }, word.lobby.noTablesHint));

/** Every table, for who scrolls. `reached`: whether the club hears of them now. */
export function tableList(tables, reached) {
  const found = inOrder(tables);
  return found.length ? h("ul", { class: "tables", key: "tables" }, found.map((table) => tableCard(table, { reached }))) : none();
}

/** The page `now` of them, for a television. */
export function tableBoard(tables, now, reached) {
  const found = inOrder(tables);
  if (!found.length) return none();
  const each = Math.ceil(found.length / pagesFor(found.length));
  const across = ACROSS[each];
  const room = each <= FEW ? "much" : each <= SOME ? "some" : "little";
  const shown = found.slice(now * each, now * each + each);
  return h("ul", { class: `tables ${room} across-${across} down-${Math.ceil(each / across)}`, key: `page ${now}` }, shown.map((table) => tableCard(table, { room, reached })));
}

/** Which page it is. `turning`: whether they turn by themselves; `turn(by)` and `stop()` are for buttons, null without. */
export function pager({ now, pages, turning, turn, stop }) {
  const where = h("p", { class: "pageof", key: "where" }, word.lobby.pageOf(now + 1, pages));
  if (!turn) return h("div", { class: "turner", key: "turner" }, where);
  return h(
    "div",
    { class: "turner", key: "turner" },
    button("icon", () => turn(-1), { key: "earlier", "aria-label": word.lobby.earlier, title: word.lobby.earlier }, "‹"),
    where,
    button("icon", () => turn(1), { key: "later", "aria-label": word.lobby.later, title: word.lobby.later }, "›"),
    button("icon", stop, { key: "stop", "data-item": "turning", "aria-label": turning ? word.lobby.stopPages : word.lobby.turnPages, title: turning ? word.lobby.stopPages : word.lobby.turnPages }, h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: turning ? "M7 5h3v14H7zM14 5h3v14h-3z" : "M8 5l11 7-11 7z" }))),
  );
}
