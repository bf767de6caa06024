// The end of a game: the places, the course of the dice, the moment to remember, and what can be looked at.

import { button, h } from "../core/dom.js";
import { own } from "../core/identity.js";
import { faceName, language, word } from "../languages/language.js";
import { PLOT, decisionsOf, gameCard, highlightsOf, lineOf, oneIn, plot, ready as cardReady } from "./highlights.js";

/** Settles with the views, once their words and their style sheet are there. */
export async function ready() {
  await cardReady();
  return { ending, places };
}

/** The buttons that share the card of the game that has just been won, and review it; null until it is there. */
function ending({ state, store }) {
  const found = highlightsOf(state, () => store.change({}));
  const review = () => store.change({ sheet: { kind: "past", page: "games", game: String(state.game), review: true } });
  const names = state.players.map(({ name }) => name);
  return found && [
    button("link", review, { key: "review", "data-item": "review" }, decisionsOf(names, own(store.get().me))),
    gameCard(found, new Date().toLocaleDateString(language, { dateStyle: "medium" }), true),
  ];
}

/** Under the winner's name: everybody else in the order of the end, the dice round by round, and a moment; null until they are there. */
function places({ state, store }) {
  const found = highlightsOf(state, () => store.change({}));
  if (!found) return null;
  const last = ({ name, dice }) => (name === state.winner ? Infinity : dice.filter(Boolean).length); // rounds with dice
  const order = [...found.curves].sort((a, b) => last(b) - last(a));
  const key = (curve, n) => h("svg", { viewBox: "0 0 120 20", "aria-hidden": "true" }, h("line", { ...lineOf(curve, n), x1: 6, y1: 10, x2: 114, y2: 10 }));
  return [
    h("ol", { class: "places", start: 2, key: "places" }, order.slice(1).map((curve, n) => h("li", { key: curve.name }, key(curve, n + 1), h("bdi", {}, curve.name)))),
    h("svg", { class: "course", viewBox: PLOT, preserveAspectRatio: "none", role: "img", "aria-label": word.past.diceByRound, key: "course" }, plot(order)),
    moment(found),
  ];
}

// The bluff or the call that was least likely, in a sentence; null where nothing was unlikely.
function moment({ bluff, call }) {
  const found = bluff && (!call || bluff.likely <= call.likely) ? bluff : call;
  if (!found) return null;
  const words = word.past.review;
  const { player, bidder, count, face, likely } = found;
  const bid = `${count} ${faceName(face, count)}`;
  const told = found === bluff ? words.luckyBluff(words.did.bid(player, bid), oneIn(likely)) : words.luckyCall(words.did[found.kind](player, bid, bidder), oneIn(likely));
  return h("p", { class: "moment", key: "moment" }, h("bdi", {}, told));
}
