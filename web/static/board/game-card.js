// The card of a game that has been won, to be read from five metres.

import { bidSign } from "../core/dice.js";
import { h } from "../core/dom.js";
import { say, word } from "../languages/language.js";
import { PLOT, highlightsOf, lineOf, percent, plot } from "../past/highlights.js";

export { ready } from "../past/highlights.js";

const MOST_TAKINGS = 2;

/** The curves, the best bluff, the luckiest call, and who took most; null until the box has told them. */
export function card(state, redraw) {
  const found = highlightsOf(state, redraw);
  if (!found) return null;
  const { bluff, call, curves, takings } = found;
  return h(
    "section",
    { class: "b-card", key: "card" },
    h("div", { class: "b-curves", key: "curves" }, h("svg", { viewBox: PLOT, preserveAspectRatio: "none", role: "img", "aria-label": word.past.diceByRound }, plot(curves))),
    h("ul", { class: "b-legend", key: "legend" }, curves.map((curve, n) => h("li", { key: curve.name }, h("svg", { viewBox: "0 0 60 12", "aria-hidden": "true" }, h("line", { ...lineOf(curve, n), x1: 5, y1: 6, x2: 55, y2: 6 })), h("bdi", {}, curve.name)))),
    h(
      "div",
      { class: "b-facts", key: "facts" },
      fact(word.past.bestBluff, bluff, bluff && word.past.bluffLikely(percent(bluff.likely)), word.past.noBluff),
      fact(word.past.luckiestCall, call, call && say.pair(say[call.kind], word.past.callLikely(percent(call.likely))), word.past.noCall),
    ),
    takings.length > 0 && h("ul", { class: "b-takings", key: "takings" }, takings.slice(0, MOST_TAKINGS).map(({ by, of, dice }, n) => h("li", { key: n, dir: "auto" }, word.past.took(by, of, dice)))),
  );
}

function fact(title, found, likely, otherwise) {
  return h(
    "div",
    { class: "b-fact", key: title },
    h("h2", {}, title),
    found ? [h("p", { class: "b-who", key: "who" }, h("bdi", {}, found.player), bidSign(found, "inline")), h("p", { key: "likely" }, likely)] : h("p", { key: "none" }, otherwise),
  );
}
