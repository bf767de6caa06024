// While bids are made: the current bid, and the rules of the round.

import { bidSign, die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { own } from "../core/identity.js";
import { rolls } from "./opening-roll.js";
import { initials } from "./players.js";
import { takeBack } from "./undo.js";
import { say } from "../languages/language.js";

/** Whose turn it is; this phone's player is "you". */
export function turnLine({ bid, turn }, me) {
  if (own(me) === turn) return bid ? say.yourTurn : say.youOpen;
  return bid ? say.turn(turn) : say.opens(turn);
}

/** The bid in the middle of the table. */
export function stage({ state, store }) {
  const { bid } = state;
  const { me } = store.get();
  return h(
    "section",
    { class: `stage${bid ? " bid" : ""}`, key: "stage" },
    h(
      "div",
      { class: "standing", key: bid ? "bid" : "none" },
      h("p", { class: `by${state.voided ? " void" : ""}` }, h("bdi", {}, bid ? (own(me) === bid.player ? say.youBid : say.bidBy(bid.player)) : state.voided ? say.isVoid : state.palifico ? say.palificoShort : say.noBid)),
      bid && bidSign(bid, "huge"),
      bid && bid.accepted && h("p", { class: "chip passed", key: "passed" }, say.wasPassed),
    ),
    rolls(state),
  );
}

const LAST = 1e6; // px, farther than any row of bids

/** Under the table: the bids and the rules of the round. */
export const roundLine = ({ state, store }) => h("div", { class: "roundline", key: "roundline" }, goesRound(state), trail(state), rules(state, store));

// All bids of the round in their order; the last is in sight, and who does not see the first scrolls.
function trail({ players: all, bids = [] }) {
  if (!bids.length) return null;
  const signs = initials(all.map(({ name }) => name));
  const colours = new Map(all.map(({ name, colour }) => [name, colour]));
  const show = (element) => requestAnimationFrame(() => element.parentNode && (element.parentNode.scrollLeft = LAST));
  const keep = (element) => new ResizeObserver(() => (element.scrollLeft = LAST)).observe(element); // a phone that is turned
  return h(
    "ol",
    { class: "trail", "aria-label": say.bidsSoFar, tabindex: 0, key: "trail", mount: keep },
    bids.map((bid, n) =>
      h(
        "li",
        { key: n, mount: show },
        h("span", { class: `disc ${colours.get(bid.player) || ""}`, "aria-hidden": "true", "data-sign": signs.get(bid.player) || "" }),
        h("span", { class: "hidden" }, h("bdi", {}, bid.player), " "),
        bidSign(bid, "inline"),
      ),
    ),
  );
}

/** Which way round the bids go, if it is not the usual one. */
export const goesRound = ({ direction, bids = [] }) => direction === "counterclockwise" && h("p", { class: "rule way", key: "way", title: say.goesRight }, h("span", { "aria-hidden": "true" }, "↺"), h("span", { class: bids.length ? "hidden" : "" }, say.goesRight));

/** The rules of this round: palifico, and whether pacos are wild. With a store a tap opens the rules. */
export function rules(state, store = null) {
  const open = () => store.change({ sheet: { kind: "rules", page: "round" } });
  const line = (cls, ...content) =>
    store ? button(cls, open, { key: "rules", "aria-haspopup": "dialog" }, content) : h("p", { class: cls, key: "rules" }, content);
  const paco = die(1, "ivory", { cls: state.wild ? "" : "struck" });
  const short = Boolean(store) && Boolean(state.bids); // the bids need the room
  if (state.palifico) {
    const who = store && own(store.get().me) === state.palifico ? say.youArePalifico : say.isPalifico(state.palifico);
    return line("rule palifico", [paco, short ? say.palificoShort : h("span", {}, h("strong", {}, h("bdi", {}, who)), h("span", { class: "means" }, " ", say.palificoMeans))]);
  }
  return line("rule", paco, h("span", { class: short ? "hidden" : "" }, state.wild ? say.wild : say.notWild));
}

/** A button for each player, for "who was it?". */
export function whoButtons(state, names, onName) {
  return h(
    "div",
    { class: "whobuttons" },
    names.map((name) => {
      const player = state.players.find((p) => p.name === name);
      return h(
        "button",
        { type: "button", class: "who", key: name, on: { click: () => onName(name) } },
        h("i", { class: `mini ${player ? player.colour : ""}` }),
        h("bdi", {}, name),
      );
    }),
  );
}

/** A button was pressed and several may have called. */
export function callerQuestion(ctx) {
  const { state, post } = ctx;
  return h(
    "section",
    { class: "card ask", key: "ask" },
    h("h2", {}, say.whoDid[state.asking.call]),
    h("p", {}, say.whoCalledHint(state.asking.call.toUpperCase())),
    whoButtons(state, state.asking.players, (player) => post("caller", { player })),
    state.undo && button("plain", () => takeBack(ctx), { key: "nobody" }, say.notCalza),
  );
}
