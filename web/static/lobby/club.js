// What the lobby's pages share: what the club says as it comes, and the head and the foot of a page.

import { h, render } from "../core/dom.js";
import { listen } from "../core/event-stream.js";
import { createPoll } from "../core/poll.js";
import { choose, settings } from "../core/settings.js";
import { createStore } from "../core/store.js";
import { languageChoice } from "../languages/choice.js";
import { ready, say, word } from "../languages/language.js";

const CLUB_EVERY = 5000; // ms between two questions whether the broker is there
const PATIENCE = 10000; // ms for an answer
const AGAIN = 5000; // ms until what did not come is asked for again
const SPREAD = 1500; // ms over which the phones of a club ask for what has changed
const THEMES = ["auto", "dark", "light"];
const root = document.getElementById("app");

/** The answer of `/api/v1/<path>`, or null where there is nothing. Rejects if the club does not answer. */
export async function ask(path) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE);
  try {
    const answer = await fetch(`/api/v1/${path}`, { cache: "no-store", signal: abort.signal });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return await answer.json();
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the club hears of its tables now. */
export const isReached = ({ line, club }) => line !== false && (!club || club.connected);

/** An address of the API or of a page for a game, whose id has a slash that stays. */
export const gamePath = (game) => game.split("/").map(encodeURIComponent).join("/");

/**
 * A page of the lobby.
 *
 * `own`: its part of the store. `view(value)`: what stands in `main`. `title(value)`: its own title, empty for the club's.
 * `nav(value)`: more of the head. `load()`: ask for what the books have, at the beginning and when they have changed.
 * `bare()`: whether it has no foot, as on a television. `back`: where its own title's arrow leads. Returns the store, and `reload()`.
 */
export function openPage({ own = {}, view, title = () => "", nav = () => null, load = async () => {}, bare = () => false, back = "/" }) {
  const store = createStore({
    club: null, // the answer of GET /api/v1/club
    tables: null, // id -> table of GET /api/v1/tables
    line: null, // whether the club answers
    lineSaid: "",
    failed: false, // whether what was asked for last did not come
    ...own,
  });

  let streamed = {}; // what this connection's stream has said: newer than any answer

  function put(table) {
    streamed = { ...streamed, [table.table]: table };
    store.change({ tables: { ...store.get().tables, [table.table]: table } });
  }

  function gone({ table }) {
    streamed = { ...streamed, [table]: null };
    store.change({ tables: Object.fromEntries(Object.entries(store.get().tables || {}).filter(([id]) => id !== table)) });
  }

  // A table that left the club while there was no connection is in no event.
  async function allTables() {
    const { tables } = await ask("tables");
    const now = { ...Object.fromEntries(tables.map((each) => [each.table, each])), ...streamed };
    store.change({ tables: Object.fromEntries(Object.entries(now).filter(([, table]) => table)) });
  }

  let due = 0;
  function reload(wait = 0) {
    clearTimeout(due);
    due = setTimeout(async () => {
      const failed = await load().then(() => false, () => true);
      store.change({ failed });
      if (failed) reload(AGAIN);
    }, wait);
  }

  function draw(value) {
    const { line, lineSaid, failed, club } = value;
    const trouble = line === false ? lineSaid || word.lobby.lineCut : failed ? word.lobby.noAnswer : club && !club.connected ? word.lobby.outOfReach : "";
    const name = title(value);
    const called = club ? club.title : word.lobby.title;
    render(
      root,
      trouble && h("p", { class: "linecut", key: "line", role: "alert" }, trouble),
      h(
        "header",
        { class: "top", key: "top" },
        name && h("a", { class: "icon back", key: "back", href: back, "aria-label": word.lobby.lobby, title: word.lobby.lobby }, "‹"),
        h(name ? "p" : "h1", { class: "brand", key: name ? "brand" : "title" }, h("bdi", {}, called)),
        nav(value),
      ),
      h("main", { key: "main", class: "lobby", tabindex: -1 }, view(value)),
      !bare() && foot(store),
    );
    document.title = name ? `${name} · ${called}` : called;
  }

  async function begin() {
    await ready;
    store.listen(draw);
    const { start } = createPoll({ path: "/api/v1/club", store, settle: (club) => store.change({ club }), pause: () => CLUB_EVERY });
    start();
    listen({
      onHello() {
        streamed = {};
        allTables().catch(() => {}); // the stream ends too, and begins again
        reload();
      },
      onLine: store.line,
      others: { table: put, gone, books: () => reload(bare() ? 0 : Math.random() * SPREAD) },
    });
  }

  begin();
  return { store, reload };
}

// Language and colours, kept by this browser

function foot(store) {
  const redraw = () => store.change({});
  const wear = ({ target }) => {
    choose({ theme: target.value });
    redraw();
  };
  return h(
    "footer",
    { class: "foot", key: "foot" },
    languageChoice(redraw),
    h("label", { class: "field", key: "theme" }, h("span", {}, say.theme), h("select", { value: settings().theme, "data-setting": "theme", on: { change: wear } }, THEMES.map((theme) => h("option", { key: theme, value: theme }, say.themes[theme])))),
  );
}
