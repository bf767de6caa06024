// The lobby: tables, ranking, games and tournaments. On a television, or with `/?board`, all tables and beside them the standings
// of the tournament that is played, or the ranking.

import { h } from "../core/dom.js";
import { lazy, loadStyle } from "../core/lazy.js";
import { stayAwake } from "../core/wake-lock.js";
import { word } from "../languages/language.js";
import { DESK, createDesk } from "../manager/desk.js";
import { standingsPage, standingsPages } from "../tournament/standings.js";
import { ask, isReached, openPage } from "./club.js";
import { gameList } from "./games.js";
import { tableName } from "./names.js";
import { rankingTable, topTen } from "./ranking.js";
import { pager, pagesFor, tableBoard, tableList } from "./tables.js";

const TABS = ["tables", "ranking", "games", "tournaments"];
const TURN_EVERY = 9000; // ms that a page of a television is shown
const LOAD_EVERY = 600000; // ms after which a television asks again: an evening ends, and nothing says so
const AGAIN = 5000; // ms until a style sheet that did not come is asked for again
const MOST_GAMES = 100; // that the club lists
const asked = new URLSearchParams(location.search).has("board");
const shared = asked && !/^(localhost|127\.|\[::1\])/.test(location.hostname); // the hub's own screen has no address for phones
const wide = matchMedia("(min-width: 1200px) and (min-height: 600px) and (min-aspect-ratio: 3/2)");
const room = matchMedia("(min-width: 900px) and (min-aspect-ratio: 5/4), (min-width: 600px) and (max-aspect-ratio: 5/4)"); // for `?board`

const { store, reload } = openPage({
  own: { ranking: null, current: null, games: null, page: 0, turning: true, tournaments: null, names: null, ...DESK },
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

let styled = null; // whether the television's style sheet applies; null until it is asked for

function isStyled() {
  const found = (now) => {
    styled = now;
    store.change({});
  };
  if (styled === null) {
    styled = false;
    loadStyle(new URL("board.css", import.meta.url)).then(() => found(true), () => setTimeout(found, AGAIN, null));
  }
  return styled;
}

const tournamentList = lazy(() => import("../tournament/list.js").then((module) => (store.change(module.TOURNAMENTS), module)));
const bookNames = lazy(() => import("../manager/book-names.js"));
const tableDesk = lazy(() => import("../manager/table-desk.js").then((module) => (store.change(module.TABLE_DESK), module)));

async function load() {
  const { tab, table } = place();
  if (tab === "games") store.change({ games: { table, games: (await ask(`games?table=${encodeURIComponent(table)}`)).games } });
  else if (tab === "tournaments") store.change(await ask("tournaments"));
  else if (onBoard()) {
    const [{ players: ranking }, { tournament: current }] = await Promise.all([ask("ranking"), ask("tournaments/current")]);
    store.change({ ranking, current });
  } else if (tab === "ranking") store.change({ ranking: (await ask("ranking")).players });
  if (tab === "ranking" && store.get().club?.manager) store.change(await ask("names"));
}

const tabs = () =>
  h(
    "nav",
    { class: "pages", key: "tabs", "aria-label": word.lobby.views },
    TABS.map((name) => h("a", { class: "page", key: name, href: `#${name}`, "aria-current": name === place().tab ? "page" : null }, word.lobby.tabs[name])),
  );

// What a phone is to open.
const phoneHint = () =>
  shared && [
    h("p", { class: "by-phone", key: "phone" }, word.lobby.byPhone(location.host)),
    onBoard() && isStyled() && h("img", { class: "lobby-qr", key: "qr", src: "/qr.svg", alt: word.lobby.qr }),
  ];

function view(value) {
  const { tab, table } = place();
  const { tables, ranking, current, games, club } = value;
  document.documentElement.classList.toggle("board", onBoard());
  document.documentElement.classList.toggle("untouched", asked);
  document.documentElement.classList.toggle("with-code", shared && onBoard());
  if (tab === "ranking") return ranking ? [rankingTable(ranking), club && club.manager && bookNames.use(store, ({ nameList }) => nameList(value, store, desk), () => null)] : connecting();
  if (tab === "games") return games && games.table === table ? listed(games, value) : connecting();
  if (tab === "tournaments") return value.tournaments ? tournamentList.use(store, ({ tournamentTab }) => tournamentTab(value, store, desk)) : connecting();
  if (!tables || (onBoard() && !isStyled())) return connecting();
  const reached = isReached(value);
  if (!onBoard()) return tableList(tables, reached);
  const [ofTables, ofStandings] = pagesOf(value);
  return [tableBoard(tables, at(value.page, ofTables), reached), current ? standingsPage(current, at(value.page, ofStandings)) : topTen(ranking || [])];
}

const connecting = () => h("p", { class: "quiet connecting", key: "connecting" }, word.lobby.connecting);

const listed = ({ table, games }, value, { tables, club } = value) => [
  h("h2", { key: "title" }, table ? h("bdi", {}, word.lobby.gamesAt(tableName(tables, table))) : games.length < MOST_GAMES ? word.lobby.tabs.games : word.lobby.latest),
  table && h("p", { key: "all" }, h("a", { class: "plain", href: "#games" }, word.lobby.allGames)),
  table && club && club.left_out.includes(table) && h("p", { class: "card quiet", key: "left-out" }, word.lobby.tableIsLeftOut),
  gameList(games, tables),
  table && club && club.manager && tableDesk.use(store, (module) => module.tableDesk(value, store, desk, table), () => null),
];

// The pages of a television

// Of the tables, and of the standings.
const pagesOf = ({ tables, current }) => [pagesFor(Object.keys(tables || {}).length), current ? standingsPages(current) : 1];

// The page that is shown: they go round.
const at = (page, pages) => ((page % pages) + pages) % pages;

// Standings say themselves how far they are.
function turner(value) {
  const [ofTables, ofStandings] = pagesOf(value);
  const pages = ofTables > 1 || asked ? ofTables : ofStandings;
  const { page, turning } = value;
  return onBoard() && pages > 1 && pager({ now: at(page, pages), pages, turning, turn: asked ? null : turn, stop: () => store.change({ turning: !turning }) });
}

const turn = (by) => store.change({ page: store.get().page + by });

// Nobody who reads with the keyboard loses the card that has the focus.
function turnByItself() {
  const inUse = document.activeElement && document.activeElement.closest(".table-card, .top-ten");
  if (store.get().turning && onBoard() && !inUse) turn(1);
}

function anew() {
  store.change({});
  reload();
}

setInterval(turnByItself, TURN_EVERY);
setInterval(() => onBoard() && reload(), LOAD_EVERY);
window.addEventListener("hashchange", () => {
  window.scrollTo(0, 0);
  anew();
});
wide.addEventListener("change", anew);
room.addEventListener("change", anew);
if (asked) stayAwake();
