// The views of the score board: what happens on the left, the players' dice on the right, how to join in a corner.

import { bidSign, die } from "../core/dice.js";
import { h } from "../core/dom.js";
import { against, callLine, counts, outcome, trophy } from "../reveal/judgement.js";
import { livePicture } from "../picture/live-picture.js";
import { ofMany } from "../reveal/motion.js";
import { picture } from "../picture/picture.js";
import { onTheTable } from "../game/players.js";
import { forOpening } from "../game/opening-roll.js";
import { tally } from "../reveal/call.js";
import { say, textOf } from "../languages/language.js";

/** The whole board. */
export function board({ state, line, lineSaid, run, me, said, announced }, match) {
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
        ? wayIn(state, me)
        : [h("section", { class: "b-stage", key: "stage" }, match && match(state), stage(state, run), troubles(state)), h("aside", { class: "b-side", key: "side" }, seats(state), corner(me))],
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

function wayIn(state, me) {
  const company = state.company ? state.company.players.map((player) => player.name) : [];
  return [
    qr(me, "large"),
    h(
      "div",
      { class: "b-way", key: "way" },
      h("h1", {}, say.joinTable),
      h("p", {}, say.joinOthersHint),
      h("ul", { class: "b-addresses", "aria-label": say.addresses }, ((me && me.addresses) || []).map((address) => h("li", { key: address, dir: "ltr" }, plain(address)))),
      code(me),
      company.length > 0 && h("p", { class: "b-quiet" }, company.map((name, n) => [n ? ", " : "", h("bdi", { key: name }, name)])),
    ),
  ];
}

function corner(me) {
  const [first] = (me && me.addresses) || [];
  return h("div", { class: "b-corner", key: "corner" }, qr(me, "small"), h("div", { class: "b-where" }, first && h("p", { dir: "ltr" }, plain(first)), code(me)));
}

// What happens

function stage(state, run) {
  if (state.paused) return alone(say.onBreak, say.breakHint);
  switch (state.phase) {
    case "rolling":
      return rolling(state);
    case "reading":
      return reading(state);
    case "checking":
      return checking(state, run);
    case "telling":
      return telling(state, run);
    case "verdict":
      return verdict(state, run);
    case "over":
      return over(state, run);
    default:
      return bidding(state);
  }
}

const alone = (title, text) => h("div", { class: "b-centre", key: title }, h("h1", { class: "b-huge" }, title), h("p", {}, text));

// A text too long for two large lines is shown in three smaller ones.
const long = (text) => (text.length > 26 ? " long" : "");

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

function reading(state) {
  const { camera, waiting } = state;
  const stopped = Boolean(waiting) && waiting.code === "given-up";
  return [
    callLine(state, "b-called"),
    h("h1", { class: "b-title", key: "title" }, forOpening(state) ? say.readingRoll : say.cupsUp),
    camera && camera.ok === false ? h("p", { class: "b-trouble", key: "nocamera" }, textOf(camera)) : !camera.phone && h("div", { class: "b-picture", key: "live" }, livePicture()),
    waiting && h("p", { class: "b-waiting", key: "waiting" }, !stopped && h("span", { class: "pulse", "aria-hidden": "true" }), h("span", {}, textOf(waiting))),
  ];
}

const seen = (state, run, highlight) =>
  state.reading && h("div", { class: "b-picture", key: `picture-${state.reading.id}` }, picture(state.reading, { run, highlight, names: state.players.map((player) => player.name) }));

function checking(state, run) {
  const problems = state.reading ? state.reading.problems : [];
  return [
    h("h1", { class: "b-title", key: "title" }, say.checkTitle),
    h("ul", { class: "b-problems", key: "problems" }, problems.slice(0, 3).map((problem, n) => h("li", { key: n }, textOf(problem)))),
    seen(state, run, false),
    h("p", { class: "b-quiet", key: "hint" }, say.anyPhone),
  ];
}

function telling(state, run) {
  return [
    h("h1", { class: "b-title", key: "title" }, say.tellTitle),
    h("div", { class: "b-tally", key: "tally" }, tally(state)),
    seen(state, run, false),
    h("p", { class: "b-quiet", key: "hint" }, say.aPhoneTells),
  ];
}

function verdict(state, run) {
  const { verdict: judged } = state;
  return h(
    "div",
    { class: `verdict b-verdict ${judged.loses ? "bad" : "good"}`, key: "verdict", mount: ofMany(judged.count) },
    h("p", { class: "held" }, (judged.correct ? say.right : say.wrong)[judged.call]),
    h("h1", { class: `outcome b-outcome${long(outcome(judged))}` }, h("bdi", {}, outcome(judged))),
    h("div", { class: `b-judged${state.reading ? "" : " byhand"}`, key: "judged" }, seen(state, run, true), h("div", { class: "b-sum", key: "sum" }, against(judged))),
    h("p", { class: "b-sentence", key: "sentence" }, textOf(judged)),
  );
}

function over(state, run) {
  const { winner, verdict: judged } = state;
  if (!winner) return alone(say.ended, "");
  const won = judged ? say.won(winner) : say.wonAlone(winner);
  return [
    h(
      "div",
      { class: "b-winner", key: "winner" },
      trophy(state),
      h("h1", { class: `b-huge${long(won)}` }, h("bdi", {}, won)),
    ),
    judged && seen(state, run, true),
    judged && h("p", { class: "b-sentence", key: "sentence" }, textOf(judged)),
  ];
}

// The players' dice

const OPEN = ["telling", "verdict", "over"]; // every die is read and assigned to a player

function seats(state) {
  return h(
    "ul",
    { class: `b-seats n${state.players.length}`, key: "seats", "aria-label": say.seats },
    state.players.map((player) => seat(state, player)),
  );
}

function seat(state, player) {
  const { name, colour, dice } = player;
  const judged = OPEN.includes(state.phase) && state.phase !== "telling" ? state.verdict : null;
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
      h("span", { class: "b-bodies", role: "img", "aria-label": `${dice === null ? say.hidden : say.dice(dice)}, ${say.colours[colour]}` }, bodies(state, player, judged, loses, gains)),
      note && h("span", { class: `b-note ${note[0]}`, key: "note" }, note[1]),
    ),
  );
}

// A player's dice: their faces once they lie open, else blank ones, or a cup if their number is hidden. The lost one is
// struck out: of open dice the last.
function bodies(state, { name, colour, dice: number }, judged, loses, gains) {
  const shown = facesOf(state, name, judged);
  if (shown) {
    const dice = shown.map(({ face, counts }, n) => die(face, colour, { key: n, cls: !judged ? "" : counts ? "counts" : "dim" }));
    return [loses ? [dice.slice(0, -1), h("span", { class: "goes", key: "goes" }, dice[dice.length - 1])] : dice, gains && h("i", { class: "mini comes", key: "comes" })];
  }
  if (number === null) return h("i", { class: "mini cup", key: "cup" });
  return [Array.from({ length: number }, (_, n) => h("i", { class: `mini${gains && n === number - 1 ? " comes" : ""}`, key: n })), loses && h("i", { class: "mini goes", key: "goes" })];
}

function facesOf(state, name, judged) {
  const rolled = state.opening && state.opening.rolls.length ? state.opening.rolls[state.opening.rolls.length - 1][name] : null;
  if (rolled && state.phase === "rolling") return rolled.map((face) => ({ face, counts: false }));
  if (!OPEN.includes(state.phase) || (state.phase !== "telling" && !judged)) return null;
  const found = state.byhand
    ? (state.byhand[name] || []).map((face) => ({ face, counts: Boolean(judged) && counts(judged, face) }))
    : state.reading && state.reading.dice.filter((d) => d.player === name);
  return found && found.length ? [...found].sort((a, b) => Number(b.counts) - Number(a.counts) || a.face - b.face) : null;
}
