// The lobby: tables, ranking, games and tournaments. On a television, or with `/?board`, tables and ranking beside each other.

import { h } from "../core/dom.js";
import { stayAwake } from "../core/wake-lock.js";
import { lobbyWord } from "../languages/lobby.js";
import { createDesk } from "../manager/desk.js";
import { TOURNAMENTS, tournamentTab } from "../tournament/list.js";
import { BOOK_NAMES, nameList } from "../manager/book-names.js";
import { ask, openPage } from "./club.js";
import { gameList } from "./games.js";
import { tableName } from "./names.js";
import { rankingTable, topTen } from "./ranking.js";
import { pager, pagesFor, tableBoard, tableList } from "./tables.js";

const TABS = ["tables", "ranking", "games", "tournaments"];
const TURN_EVERY = 9000; // ms that a page of tables is shown
const asked = new URLSearchParams(location.search).has("board");
const wide = matchMedia("(min-width: 1200px) and (min-height: 600px) and (min-aspect-ratio: 3/2)");
const room = matchMedia("(min-width: 900px) and (min-aspect-ratio: 5/4)"); // for `?board`

const { store, reload } = openPage({
  own: { ranking: null, games: null, page: 0, turning: true, ...TOURNAMENTS, ...BOOK_NAMES },
  nav: (value) => [turner(value), asked ? phoneHint() : tabs()],
  view,
  load,
  bare: onBoard,
});

const desk = createDesk(store);

// "#games/<table>" is the games of one table.
function place() {
  const [tab, table = ""] = asked ? ["tables"] : location.hash.slice(1).split("/");
  return { tab: TABS.includes(tab) ? tab : "tables", table: tab === "games" ? table : "" };
}

function onBoard() {
  return place().tab === "tables" && (wide.matches || (asked && room.matches));
}

async function load() {
  const { tab, table } = place();
  if (tab === "games") store.change({ games: { table, games: (await ask(`games?table=${encodeURIComponent(table)}`)).games } });
  else if (tab === "tournaments") store.change(await ask("tournaments"));
  else if (tab === "ranking" || onBoard()) store.change({ ranking: (await ask("ranking")).players });
  if (tab === "ranking" && store.get().club?.manager) store.change(await ask("names"));
}

const tabs = () =>
  h(
    "nav",
    { class: "pages", key: "tabs", "aria-label": lobbyWord.views },
    TABS.map((name) => h("a", { class: "page", key: name, href: `#${name}`, "aria-current": name === place().tab ? "page" : null }, lobbyWord.tabs[name])),
  );

// What a phone is to open, unless this screen is the hub's own.
const phoneHint = () => !/^(localhost|127\.|\[::1\])/.test(location.hostname) && h("p", { class: "by-phone", key: "phone" }, lobbyWord.byPhone(location.host));

function view(value) {
  const { tab, table } = place();
  const { tables, ranking, games, club } = value;
  document.documentElement.classList.toggle("board", onBoard());
  document.documentElement.classList.toggle("untouched", asked);
  if (tab === "ranking") return ranking ? [rankingTable(ranking), club && club.manager && nameList(value, store, desk)] : connecting();
  if (tab === "games") return games && games.table === table ? listed(games, value) : connecting();
  if (tab === "tournaments") return value.tournaments ? tournamentTab(value, store, desk) : connecting();
  if (!tables) return connecting();
  if (!onBoard()) return tableList(tables);
  return [tableBoard(tables, value.page % pagesOf(tables)), topTen(ranking || [])];
}

const connecting = () => h("p", { class: "quiet connecting", key: "connecting" }, lobbyWord.connecting);

const listed = ({ table, games }, { tables }) => [
  h("h2", { key: "title" }, table ? h("bdi", {}, lobbyWord.gamesAt(tableName(tables, table))) : lobbyWord.latest),
  table && h("p", { key: "all" }, h("a", { class: "plain", href: "#games" }, lobbyWord.allGames)),
  gameList(games, tables),
];

// The pages of a television

const pagesOf = (tables) => pagesFor(Object.keys(tables || {}).length);

function turner({ tables, page, turning }) {
  const pages = pagesOf(tables);
  return onBoard() && pages > 1 && pager({ now: page % pages, pages, turning, turn: asked ? null : turn, stop: () => store.change({ turning: !turning }) });
}

function turn(by) {
  const { tables, page } = store.get();
  store.change({ page: (page + by) % pagesOf(tables) });
}

// Nobody who reads with the keyboard loses the card that has the focus.
function turnByItself() {
  const { turning, tables } = store.get();
  const inUse = document.activeElement && document.activeElement.closest(".table-card");
  if (turning && tables && onBoard() && !inUse) turn(1);
}

function anew() {
  store.change({});
  reload();
}

setInterval(turnByItself, TURN_EVERY);
window.addEventListener("hashchange", () => {
  window.scrollTo(0, 0);
  anew();
});
wide.addEventListener("change", anew);
room.addEventListener("change", anew);
if (asked) stayAwake();
