// The end of a game: who won and in what order, the decision that cost most, and the card.

import { button, h } from "../core/dom.js";
import { own } from "../core/identity.js";
import { faceName, language, word } from "../languages/language.js";
import { gameCard, highlightsOf, percent, ready as cardReady } from "./highlights.js";

/** Settles with the views, once their words and their style sheet are there. */
export async function ready() {
  await cardReady();
  return { ending, places };
}

/** The card of the game that has just been won; null until it is there. */
function ending({ state, store }) {
  const found = highlightsOf(state, () => store.change({}));
  const review = () => store.change({ sheet: { kind: "past", page: "games", game: String(state.game), review: true } });
  return found && [
    gameCard(found, new Date().toLocaleDateString(language, { dateStyle: "medium" })),
    button("link", review, { key: "review", "data-item": "review" }, word.past.review.open),
  ];
}

let judged = ""; // the game whose review was asked for
let worst = null; // the decision that cost most, once it is known

// The costliest of this phone's player, if any of theirs cost something; else of anybody.
async function fetchWorst(game, mine) {
  const ask = async (address) => (await fetch(`/api/v1/games${address}`, { cache: "no-store" })).json();
  const { games } = await ask("?page=1");
  if (!games.some((each) => each.game === game)) return null; // one whose dice stay hidden
  const { decisions = [] } = await ask(`/${encodeURIComponent(game)}/review`);
  return decisions.find(({ player }) => player === mine) || decisions[0] || null; // the costliest comes first
}

// What cost the most chance of winning, in a sentence; null until it is known, and where nothing did.
function costliest({ state, store }) {
  const game = String(state.game);
  if (judged !== game) {
    judged = game;
    worst = null;
    fetchWorst(game, own(store.get().me))
      .then((found) => {
        if (judged !== game) return;
        worst = found;
        store.change({});
      })
      .catch(() => {}); // the page shows who won without it
  }
  if (!worst) return null;
  const words = word.past.review;
  const bid = ({ kind, count, face }) => (kind === "pass" ? "" : `${count} ${faceName(face, count)}`);
  const { player, made, best, bids } = worst;
  const [call, held] = [words.calls[best.kind](bid(best)), inCases([made.kind === "dudo" ? 1 - bids : bids])];
  const won = inCases([best.wins, made.wins]);
  return h(
    "p",
    { class: "costliest", key: "costliest" },
    h("bdi", {}, words.did[made.kind](player, bid(made))),
    ". ",
    words.cases[made.kind === "bid" ? "bid" : "call"](...held),
    " ",
    won ? words.games(call, ...won) : words.better(call, percent(made.wins), percent(best.wins)),
  );
}

const MANY = 20; // of which something may be so in none, or in all
const CASES = [2, 3, 4, 5, 6, 8, 10, 12, MANY];
const NEAR = 0.04; // how far a share may be from what is said of it

// Shares as so many of the fewest cases that tell them, and tell them apart: [1/6] is [1, 6]; null if none do.
function inCases(shares) {
  for (const of of CASES) {
    const cases = shares.map((share) => Math.round(share * of));
    const near = cases.every((n, at) => Math.abs(n / of - shares[at]) <= NEAR && ((n > 0 && n < of) || of === MANY));
    if (near && new Set(cases).size === shares.length) return [...cases, of];
  }
  return null;
}

/** Everybody in the order of the end, who won first, and the decision that cost most; null until it is there. */
function places(ctx) {
  const { state, store } = ctx;
  const found = highlightsOf(state, () => store.change({}));
  if (!found) return null;
  const last = ({ name, dice }) => (name === state.winner ? Infinity : dice.filter(Boolean).length); // rounds with dice
  const order = [...found.curves].sort((a, b) => last(b) - last(a));
  return [
    h("ol", { class: "places", key: "places" }, order.map(({ name, colour }) => h("li", { key: name }, h("i", { class: `mini ${colour || ""}` }), h("bdi", {}, name)))),
    costliest(ctx),
  ];
}
