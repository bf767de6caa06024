// The past games: a list, the story and the review of each, and what the players did in them.

import { button, h } from "../core/dom.js";
import { own } from "../core/identity.js";
import { loadStyle } from "../core/lazy.js";
import { language, loadWords, say, textOf, word } from "../languages/language.js";
import { storyView } from "../menu/story.js";
import { select } from "../menu/house-rules.js";
import { charts } from "./charts.js";
import { decisionsOf, gameCard } from "./highlights.js";
import { reviewView } from "./review.js";

const PAGES = ["games", "statistics"];

/** Settles with the views, once their words and their style sheet are there. */
export async function ready() {
  await Promise.all([loadWords("past", "story-messages", "rules-messages"), loadStyle(new URL("past.css", import.meta.url))]);
  return { sheet };
}

/** The sheet: [title, content]. `open.page` is "games" or "statistics"; `open.game` names a game to tell, or with `open.review` to review. */
export function sheet({ store }, open) {
  const page = open.page || "games";
  const me = own(store.get().me);
  const names = open.told ? open.told.game.players : [me];
  return [
    open.review ? decisionsOf(names, (open.of || me) === me ? me : "") : say.pastGames,
    h(
      "div",
      { class: "rulebook past", key: "past", mount: () => fetchFirst(store, open) },
      !open.review && h(
        "div",
        { class: "pages", role: "group", "aria-label": say.pastGames },
        PAGES.map((name) =>
          button("page", () => turn(store, name), { key: name, "data-page": name, "aria-pressed": String(name === page) }, word.past.pages[name]),
        ),
      ),
      h("div", { class: "rulepage", key: page + (open.game || "") }, content(store, open, page)),
    ),
  ];
}

function content(store, open, page) {
  if (page === "games" && open.game) return open.review ? reviewed(store, open) : told(store, open);
  const found = open[page];
  if (!found) return waiting(open);
  return page === "games" ? list(store, found) : statistics(store, open, found);
}

const waiting = ({ failed }) => h("p", { class: "quiet", role: failed ? "alert" : null }, failed || say.connecting);

// Merge `part` into the sheet, which may have changed since it was drawn, or be closed.
function change(store, part) {
  const { sheet: now } = store.get();
  if (now && now.kind === "past") store.change({ sheet: { ...now, ...part } });
}

async function fetchInto(store, name, address) {
  let found = null;
  let failed = "";
  try {
    const answer = await fetch(`/api/v1/${address}`, { cache: "no-store" });
    const said = await answer.json();
    if (answer.ok) found = said;
    else failed = textOf(said);
  } catch {
    failed = say.noAnswer;
  }
  change(store, failed ? { failed } : { [name]: found });
}

function fetchFirst(store, { game, review }) {
  if (game) tell(store, game, review);
  else fetchInto(store, "games", "games?page=1");
}

function tell(store, game, review = false) {
  change(store, { game, review, told: null, reviewed: null, puzzle: undefined, of: undefined, failed: "" });
  fetchInto(store, "told", `games/${encodeURIComponent(game)}`);
  if (review) fetchInto(store, "reviewed", `games/${encodeURIComponent(game)}/review`);
}

function turn(store, page) {
  const { sheet: now } = store.get();
  change(store, { page, game: null, told: null, failed: "" });
  if (page === "games") fetchInto(store, "games", "games?page=1");
  else fetchInto(store, "statistics", `statistics${now.company ? `?company=${encodeURIComponent(now.company)}` : ""}`);
}

// The list

const when = ({ begun, clock_set: dated }) => (dated ? new Date(begun).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }) : word.past.undated);

const day = ({ begun, clock_set: dated }) => (dated ? new Date(begun).toLocaleDateString(language, { dateStyle: "medium" }) : "");

function list(store, { games, page, pages }) {
  if (!games.length) return h("p", { class: "quiet", key: "none" }, word.past.none);
  const go = (to) => fetchInto(store, "games", `games?page=${to}`);
  return [
    h("ul", { class: "pastlist", key: `list-${page}` }, games.map((game) => h("li", { key: game.game }, button("plain pastgame", () => tell(store, game.game), { "data-game": game.game }, outline(game))))),
    pages > 1 &&
      h(
        "div",
        { class: "pager", key: "pager" },
        button("plain", () => go(page - 1), { key: "newer", disabled: page === 1 }, word.past.newer),
        h("span", { class: "quiet" }, word.past.pageOf(page, pages)),
        button("plain", () => go(page + 1), { key: "older", disabled: page === pages }, word.past.older),
      ),
  ];
}

const outline = (game) => [
  h("strong", { key: "end" }, game.winner ? h("bdi", {}, word.past.won(game.winner)) : word.past.ended),
  h("span", { key: "players" }, h("bdi", {}, game.players.join(", "))),
  h("small", { class: "quiet", key: "when" }, [when(game), word.past.rounds(game.rounds), game.imported ? word.past.imported : ""].filter(Boolean).join(" · ")),
];

// One game

function told(store, open) {
  const list = () => (open.games ? change(store, { game: null, told: null, failed: "" }) : turn(store, "games"));
  const back = button("plain", list, { key: "back", "data-item": "back" }, word.past.back);
  if (!open.told) return [waiting(open), back];
  const { game, record } = open.told;
  return [
    h("p", { class: "quiet", key: "when" }, `${when(game)} · ${textOf({ sentence: game.book, said: game.said })}`),
    gameCard(open.told.highlights, day(game)),
    button("plain", () => tell(store, open.game, true), { key: "review", "data-item": "review" }, decisionsOf(game.players, own(store.get().me))),
    storyView({ story: open.told }),
    h("details", { class: "record", key: "record" }, h("summary", {}, word.past.record), record.map((part, n) => h("pre", { key: n, dir: "ltr", tabindex: 0 }, part.join("\n")))),
    back,
  ];
}

function reviewed(store, open) {
  const back = button("plain", () => (open.games ? tell(store, open.game) : store.change({ sheet: null })), { key: "back-to-game", "data-item": "back" }, word.past.review.back);
  if (!open.told || !open.reviewed) return [open.failed ? waiting(open) : h("p", { class: "quiet" }, word.past.review.thinking), back];
  const colours = Object.fromEntries(open.told.highlights.curves.map(({ name, colour }) => [name, colour]));
  return [reviewView(open.reviewed, { colours, mine: own(store.get().me), of: open.of, puzzle: open.puzzle, change: (part) => change(store, part) }), back];
}

// Statistics

function statistics(store, open, found) {
  const options = [["", word.past.everybody], ...found.companies.map(({ game, players, games }) => [game, `${players.join(", ")} (${word.past.games(games)})`])];
  const choose = (company) => {
    change(store, { company });
    fetchInto(store, "statistics", `statistics${company ? `?company=${encodeURIComponent(company)}` : ""}`);
  };
  if (!found.statistics.games) return h("p", { class: "quiet", key: "none" }, word.past.none);
  return [
    h("label", { class: "field", key: "company" }, h("span", {}, word.past.whose), select(word.past.whose, open.company || "", options, choose)),
    charts(found, { measure: open.measure || "won", choose: (measure) => change(store, { measure }) }),
  ];
}
