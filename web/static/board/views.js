// The views of the score board: while bids are made a table with the players round it, from the call on what happens on the
// left and the players' dice on the right, and before the game how to join.

import { bidSign, die } from "../core/dice.js";
import { h } from "../core/dom.js";
import { onTheTable } from "../game/players.js";
import { say, textOf } from "../languages/language.js";
import { discs, seats } from "./seats.js";

/**
 * The whole board. `match` and `next` draw the series and who is to play here next, `show` is the module of the views of a
 * reveal; each is null until it is loaded.
 */
export function board({ state, line, lineSaid, run, me, said, announced }, { match, show, next }) {
  const status = h("div", { class: "hidden", key: "announced", "aria-live": "polite", role: "status" }, announced);
  const cut = line === false && h("p", { class: "b-cut", key: "cut", role: "alert" }, lineSaid || say.lineCut);
  const refused = said && h("p", { class: "b-cut b-told", key: "refused", role: "alert" }, typeof said === "string" ? said : textOf(said));
  if (!state) {
    return [status, cut, h("main", { class: "b-alone nothing", key: "main" }, h("h1", {}, say.title), h("p", {}, say.connecting))];
  }
  if (state.phase === "seating") {
    return [status, cut, refused, h("main", { class: "b-alone seating", key: "alone", "data-version": state.version }, wayIn(state, me, next && next(state)))];
  }
  const open = SHOWN.includes(state.phase) && !state.paused;
  const between = state.paused || ["verdict", "over"].includes(state.phase); // while bids are made nobody joins
  const score = match && match(state);
  const beside = [state.palifico && !open && palifico(state), next && next(state), troubles(state)].flat().filter(Boolean);
  return [
    status,
    cut,
    refused,
    h(
      "main",
      { class: `b-main ${state.phase}${open ? " b-open" : " b-table"}`, key: "main", "data-version": state.version },
      h("section", { class: `b-stage${beside.length ? " b-full" : ""}`, key: "stage" }, !between && round(state), score, stage(state, run, show), beside),
      seats(state, show, { round: !open }),
      between && corner(me),
    ),
  ];
}

// The round, the dice on the table, and the rules that change from round to round.
function round(state) {
  const dice = onTheTable(state);
  return h(
    "p",
    { class: "b-round", key: "round" },
    h("span", {}, state.round === null ? say.openingRoll : say.round(state.round)),
    dice !== null && h("span", {}, say.dice(dice)),
    state.wild !== null && !state.palifico && h("span", {}, die(1, "ivory", { cls: state.wild ? "" : "struck" }), " ", state.wild ? say.wild : say.notWild),
    state.direction === "counterclockwise" && h("span", { key: "way" }, h("span", { "aria-hidden": "true" }, "↺ "), say.toRight),
    state.demo && h("span", {}, say.demo),
  );
}

function troubles({ camera, journal, phase }) {
  const sentences = [camera && !camera.ok && phase !== "reading" && textOf(camera), journal && !journal.ok && textOf(journal)];
  return sentences.filter(Boolean).map((sentence) => h("p", { class: "b-trouble", key: sentence }, sentence));
}

// How to join

const qr = (me, cls) =>
  h("img", { class: `b-qr ${cls}`, key: me && me.code ? "with-code" : "without", alt: say.qr, width: 300, height: 300, src: `/api/v1/qr.svg${me && me.code ? "?code=1" : ""}` });

// An address too long for one line is broken before the port.
const plain = (address) => {
  const [host, port] = address.replace(/^http:\/\//, "").replace(/\/$/, "").split(":");
  return port ? [host, h("wbr"), `:${port}`] : host;
};

const code = (me) => me && me.code && h("p", { class: "b-code", key: "code" }, h("span", {}, say.code), " ", h("strong", { dir: "ltr" }, me.code));

function wayIn(state, me, next) {
  const company = state.company ? state.company.players.map((player) => player.name) : [];
  return [
    qr(me, "large"),
    h(
      "div",
      { class: "b-way", key: "way" },
      next,
      h("h1", {}, say.joinTable),
      !next && h("p", {}, say.joinOthersHint), // there is not the room for both
      h("ul", { class: "b-addresses", "aria-label": say.addresses }, ((me && me.addresses) || []).map((address) => h("li", { key: address, dir: "ltr" }, plain(address)))),
      code(me),
      !next && company.length > 0 && h("p", { class: "b-quiet" }, company.map((name, n) => [n ? ", " : "", h("bdi", { key: name }, name)])),
    ),
  ];
}

function corner(me) {
  const [first] = (me && me.addresses) || [];
  return h("div", { class: "b-corner", key: "corner" }, qr(me, "small"), h("div", { class: "b-where" }, first && h("p", { dir: "ltr" }, plain(first)), code(me)));
}

// What happens

/** The phases whose views come with `reveal-views.js`. */
export const SHOWN = ["reading", "checking", "telling", "verdict", "over"];

function stage(state, run, show) {
  if (state.paused) return alone(say.onBreak, say.breakHint);
  if (state.phase === "rolling") return rolling(state);
  if (!SHOWN.includes(state.phase)) return bidding(state);
  if (show) return show.stage(state, run);
  return h("div", { class: "b-centre connecting", key: "connecting" }, h("h1", { class: "b-huge" }, state.phase === "reading" ? say.cupsUp : say.connecting));
}

/** A large title and a line. */
export const alone = (title, text) => h("div", { class: "b-centre", key: title }, h("h1", { class: "b-huge" }, title), h("p", {}, text));

/** The class of a text: one too long for two large lines is shown in three smaller ones. */
export const long = (text) => (text.length > 26 ? " long" : "");

function bidding(state) {
  const { bid, asking } = state;
  return h(
    "div",
    { class: `b-centre${bid ? "" : " unbid"}`, key: bid ? `${bid.player}/${bid.count}/${bid.face}` : "none" },
    bid && bidSign(bid, "b-bid"),
    bid && trail(state, MOST_BIDS),
    saidLine(state),
    bid && bid.accepted && h("p", { class: "b-quiet", key: "passed" }, say.wasPassed),
    state.undone && h("p", { class: "b-quiet", key: "undone" }, textOf(state.undone)),
    asking && h("p", { key: "asked" }, asking.players.map((name, n) => [n ? ", " : "", h("bdi", { key: name }, name)])),
  );
}

const MOST_BIDS = 5;

/** The last `most` bids of the round in their order; the last is the one that stands. */
export function trail({ bids = [], players }, most) {
  const first = Math.max(bids.length - most, 0);
  const sign = discs(players);
  return h(
    "ol",
    { class: "b-trail", key: "trail", "aria-label": say.figureBids },
    bids.slice(first).map(({ player, count, face }, n) => h("li", { key: first + n }, sign(player), h("span", { class: "hidden" }, player, " "), bidSign({ count, face }, "inline"))),
  );
}

/** Who bid, and whose turn it is. */
export function saidLine({ bid, turn, voided, asking }) {
  const next = asking ? say.whoDid[asking.call] : bid ? say.turn(turn) : say.opens(turn);
  return h(
    "div",
    { class: "b-said", key: "said" },
    h("p", { class: `b-by${voided ? " void" : ""}` }, h("bdi", {}, bid ? say.bidBy(bid.player) : voided ? say.isVoid : say.noBid)),
    h("h1", { class: `b-turn${long(next)}` }, h("bdi", {}, next)),
  );
}

/** What is special about a palifico's round. */
export const palifico = (state) => h("p", { class: "b-palifico", key: "palifico" }, h("strong", {}, h("bdi", {}, say.palifico(state.palifico))), " ", say.palificoMeans);

function rolling({ opening }) {
  const again = opening.rolls.length > 0;
  return h(
    "div",
    { class: "b-centre", key: "rolling" },
    h("p", { class: "b-by" }, say.whoOpens),
    h("h1", { class: again ? "b-turn many" : "b-turn" }, again ? say.pair(opening.rolling, say.rollAgain) : say.allRoll(opening.dice)),
    h("p", {}, say.rollHint),
  );
}
