// The views of the score board: what happens on the left, the players' dice on the right, how to join in a corner.

import { bidSign, die } from "../core/dice.js";
import { h } from "../core/dom.js";
import { onTheTable } from "../game/players.js";
import { say, textOf } from "../languages/language.js";

/**
 * The whole board. `match` and `next` draw the series and who is to play here next, `show` is the module of the views of a
 * reveal; each is null until it is loaded.
 */
export function board({ state, line, lineSaid, run, me, said, announced }, { match, show, next }) {
  const status = h("div", { class: "hidden", key: "announced", "aria-live": "polite", role: "status" }, announced);
  const cut = line === false && h("p", { class: "b-cut", key: "cut", role: "alert" }, lineSaid || say.lineCut);
  const refused = said && h("p", { class: "b-cut", key: "refused", role: "alert" }, said);
  if (!state) {
    return [status, cut, h("main", { class: "b-alone nothing", key: "main" }, h("h1", {}, say.title), h("p", {}, say.connecting))];
  }
  const seating = state.phase === "seating";
  return [
    status,
    cut,
    refused,
    !seating && top(state),
    h(
      "main",
      { class: `${seating ? "b-alone" : "b-main"} ${state.phase}`, key: seating ? "alone" : "main", "data-version": state.version },
      seating
        ? wayIn(state, me, next && next(state))
        : [h("section", { class: "b-stage", key: "stage" }, match && match(state), stage(state, run, show), next && next(state), troubles(state)), h("aside", { class: "b-side", key: "side" }, seats(state, show), corner(me))],
    ),
  ];
}

function top(state) {
  const judged = ["verdict", "over"].includes(state.phase); // `round` is the next one already
  const dice = onTheTable(state);
  return h(
    "header",
    { class: "b-top", key: "top" },
    h("span", { class: "b-brand" }, say.title),
    !judged && h("span", { class: "b-chip" }, state.round === null ? say.openingRoll : say.round(state.round)),
    dice !== null && h("span", { class: "b-chip" }, say.dice(dice)),
    state.wild !== null && !judged && h("span", { class: "b-chip" }, die(1, "ivory", { cls: state.wild ? "" : "struck" }), state.wild ? say.wild : say.notWild),
    state.direction === "counterclockwise" && h("span", { class: "b-chip way", key: "way" }, h("span", { "aria-hidden": "true" }, "↺"), say.toRight),
    state.demo && h("span", { class: "b-chip" }, say.demo),
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
  const { bid, turn, palifico } = state;
  const asked = state.phase === "asking";
  const next = asked ? say.whoDid[state.asking.call] : bid ? say.turn(turn) : say.opens(turn);
  return [
    h(
      "div",
      { class: "b-centre", key: bid ? `${bid.player}/${bid.count}/${bid.face}` : "none" },
      h("p", { class: `b-by${state.voided ? " void" : ""}` }, h("bdi", {}, bid ? say.bidBy(bid.player) : state.voided ? say.isVoid : say.noBid)),
      bid && bidSign(bid, "b-bid"),
      bid && bid.accepted && h("p", { class: "b-quiet", key: "passed" }, say.wasPassed),
      state.undone && h("p", { class: "b-quiet", key: "undone" }, textOf(state.undone)),
      h("h1", { class: `b-turn${long(next)}` }, h("bdi", {}, next)),
      asked && h("p", {}, state.asking.players.map((name, n) => [n ? ", " : "", h("bdi", { key: name }, name)])),
    ),
    palifico && h("p", { class: "b-palifico", key: "palifico" }, h("strong", {}, h("bdi", {}, say.palifico(palifico))), " ", say.palificoMeans),
  ];
}

function rolling({ opening }) {
  const again = opening.rolls.length > 0;
  return h(
    "div",
    { class: "b-centre", key: "rolling" },
    h("p", { class: "b-by" }, say.whoOpens),
    h("h1", { class: again ? "b-turn many" : "b-turn" }, again ? [opening.rolling.map((name, n) => [n ? ", " : "", h("bdi", { key: name }, name)]), `: ${say.rollAgain}`] : say.allRoll(opening.dice)),
    h("p", {}, say.rollHint),
  );
}

// The players' dice

/** The players and their dice. */
export function seats(state, show) {
  return h(
    "ul",
    { class: `b-seats n${state.players.length}`, key: "seats", "aria-label": say.seats },
    state.players.map((player) => seat(state, player, show)),
  );
}

function seat(state, player, show) {
  const { name, colour, dice } = player;
  const judged = ["verdict", "over"].includes(state.phase) ? state.verdict : null;
  const onTurn = state.turn === name && !judged;
  const rolls = Boolean(state.opening) && state.opening.rolling.includes(name);
  const loses = Boolean(judged) && judged.loses === name;
  const gains = Boolean(judged) && judged.gains === name;
  const opens = judged ? judged.opener === name : state.phase !== "over" && state.starter === name && !onTurn;
  const out = dice === 0 && !loses;
  const away = state.away.some((gone) => gone.name === name);
  // Only one of these fits beside the dice, the most important first.
  const calls = state.call && state.call.player === name ? state.call.kind : "";
  const note =
    (rolls && ["turn", say.rolls]) ||
    (onTurn && ["turn", say.onTurn]) ||
    (out && ["", away ? say.away : say.out]) ||
    (opens && judged && ["", say.opensShort]) ||
    (calls && ["call", say[calls]]) ||
    (opens && ["", say.opened]);
  return h(
    "li",
    { class: `b-seat ${colour}${onTurn || rolls ? " on-turn" : ""}${out ? " is-out" : ""}${state.winner === name ? " wins" : ""}`, key: name },
    h("span", { class: "b-name" }, h("bdi", {}, name)),
    h(
      "span",
      { class: "b-dice" },
      h("span", { class: "b-bodies", role: "img", "aria-label": `${dice === null ? say.hidden : say.dice(dice)}, ${say.colours[colour]}` }, bodies(state, player, judged, { loses, gains, show })),
      note && h("span", { class: `b-note ${note[0]}`, key: "note" }, note[1]),
    ),
  );
}

// A player's dice: their faces once they lie open, else blank ones, or a cup if their number is hidden. The lost one is
// struck out: of open dice the last.
function bodies(state, { name, colour, dice: number }, judged, { loses, gains, show }) {
  const rolled = state.phase === "rolling" && state.opening.rolls.length ? state.opening.rolls[state.opening.rolls.length - 1][name] : null;
  if (rolled) return rolled.map((face, n) => die(face, colour, { key: n }));
  const dice = show ? show.openDice(state, name) : [];
  if (dice.length)
    return [loses ? [dice.slice(0, -1), h("span", { class: "goes", key: "goes" }, dice[dice.length - 1])] : dice, gains && h("i", { class: "mini comes", key: "comes" })];
  if (number === null) return h("i", { class: "mini cup", key: "cup" });
  return [Array.from({ length: number }, (_, n) => h("i", { class: `mini${gains && n === number - 1 ? " comes" : ""}`, key: n })), loses && h("i", { class: "mini goes", key: "goes" })];
}
