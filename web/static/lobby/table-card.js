// A table of the club as a card.

import { bidSign } from "../core/dice.js";
import { h } from "../core/dom.js";
import { say, word } from "../languages/language.js";
import { counted, outcome, trophy } from "../reveal/judgement.js";
import { roundName } from "../tournament/names.js";
import { called, calledAmong, calledShort, textAmong } from "./names.js";

const MANY_WORDS = 130; // characters of a verdict, as of one that says who is palifico
const LONG = 18; // characters; the letters of a longer sentence are smaller on a television
const LONG_NAME = 10;
const SIX = 6; // players whose card has room for one line more
const DRAWN = 2; // players of a draw who make a game the one that was drawn, as for the hub
const WITH_BID = ["bidding", "asking", "reading", "checking", "telling"];

/**
 * The card. `room`: "all" for who scrolls; on a television "much" with few tables, "some" and "little" with more. Marks beside
 * the players' names then take the place of a verdict's sentence, and with little room dice are counted. `reached`: whether the
 * club hears of the table now.
 */
export function tableCard(table, { room = "all", reached = true } = {}) {
  const { table: id, name, online, state, assignment, taken_over: twice } = table;
  const shown = state && withNames(state, room);
  const playing = Boolean(shown) && !["seating", "over"].includes(shown.phase);
  const next = assignment && assigned(assignment, room);
  const drawn = playing && assignment && { ...assignment, now: isPlayed(assignment, state) };
  const inShort = drawn && room === "much" && shown.players.length <= SIX;
  const toSit = next && !playing && room !== "all"; // those who are looked for come before those who have played
  const trouble = online ? troubleOf(shown, twice) : "";
  return h(
    "li",
    { class: `card table-card ${shown ? `${shown.phase} of-${shown.players.length}` : "unheard"}${online ? "" : " away"}${inShort ? " drawn-for" : ""}`, key: id, "data-table": id },
    h(
      "div",
      { class: "head", key: "head" },
      h("h2", {}, h("span", { class: `dot${reached ? "" : " unknown"}`, "aria-hidden": "true" }), h("a", { href: `#games/${id}` }, h("bdi", {}, name)), trouble && room !== "all" && h("span", { class: "alarm", key: "trouble" }, h("span", { "aria-hidden": "true" }, "!"), h("span", { class: "hidden" }, trouble)), drawn && !drawn.now && !inShort && room !== "all" && mark(drawn)),
      h("p", { class: "where" }, online ? [reached && h("span", { class: "hidden", key: "there" }, `${word.lobby.there}. `), shown && where(shown, room)] : word.lobby.away),
    ),
    !playing && next,
    shown ? [!(toSit && isBrief(room)) && happening(shown, room, online), !toSit && [players(shown, room), inShort && short(drawn), more(shown, room)]] : h("p", { class: "quiet", key: "unheard" }, word.lobby.nothingHeard),
    trouble && room === "all" && h("p", { class: "problem", key: "trouble" }, trouble),
    playing && room === "all" && next,
    shown && !online && room === "all" && h("p", { class: "quiet", key: "away" }, word.lobby.awaySince),
  );
}

const isBrief = (room) => room === "some" || room === "little";

const troubleOf = (shown, twice) => [twice && word.lobby.twoBoxes, shown && !shown.camera_ok && word.lobby.noCamera, shown && !shown.journal_ok && word.lobby.notSaved].filter(Boolean).join(" · ");

// The state with everybody called as in the page's language.
function withNames(state, room) {
  const call = room === "all" ? called : calledShort;
  const of = (name) => name && calledAmong(state.players, name, call);
  const bid = state.bid && { ...state.bid, player: of(state.bid.player) };
  const { verdict } = state;
  return {
    ...state,
    turn: of(state.turn),
    palifico: state.phase === "over" ? null : of(state.palifico),
    winner: of(state.winner),
    bid,
    players: state.players.map((player) => ({ ...player, name: call(player) })),
    verdict: verdict && {
      ...verdict,
      caller: of(verdict.caller),
      loses: of(verdict.loses),
      gains: of(verdict.gains),
      eliminated: of(verdict.eliminated),
      right: of(verdict.correct ? verdict.caller : verdict.bid.player),
      sentence: textAmong(state.players, verdict),
    },
  };
}

// With a verdict, `round` is the next one already.
function where({ phase, round, paused }, room) {
  const played = WITH_BID.includes(phase) && round !== null && say.round(round);
  const now = paused ? say.onBreak : word.lobby.phases[phase];
  return [played, (!played || paused || !isBrief(room)) && now].filter(Boolean).join(" · ");
}

// Who is to play here next

const listOf = (names) => names.map((name, n) => [n ? ", " : "", h("bdi", { key: name }, name)]);

// A television says elsewhere which tournament is played.
const assigned = ({ tournament, round, players: names }, room) =>
  h("p", { class: "assigned", key: "assigned" }, h("strong", {}, room === "all" ? word.lobby.assigned(roundName(round), tournament) : `${roundName(round)}:`), " ", listOf(names));

const isPlayed = ({ players: drawn }, { players }) => players.filter(({ name }) => drawn.includes(name)).length >= DRAWN;

// Of a game that is drawn while another one is played, or of one that is played, whose players are there to see.
const short = ({ tournament, round, players: names, now }) =>
  h("p", { class: "assigned short", key: "assigned" }, now ? h("strong", {}, h("bdi", {}, tournament), ` · ${roundName(round)}`) : [h("strong", { key: "round" }, `${roundName(round)}:`), " ", listOf(names)]);

const mark = (assignment) => h("span", { class: "drawn", key: "drawn" }, h("span", { "aria-hidden": "true" }, "»"), h("span", { class: "hidden" }, `${word.lobby.assigned(roundName(assignment.round), assignment.tournament)} ${assignment.players.join(", ")}`));

// What happens

function happening(state, room, online) {
  const { phase, bid, verdict, winner } = state;
  const brief = isBrief(room);
  const made = bid && WITH_BID.includes(phase) && (phase === "bidding" || room !== "little");
  const alone = brief && phase === "bidding" && bid && online; // whose turn it is can be seen at the name
  const said = brief && !online ? word.lobby.away : happens(state);
  const kind = brief && !online ? "doubt" : phase === "verdict" && verdict ? side(verdict) : "";
  return h(
    "div",
    { class: "happening", key: "happening" },
    made && h("p", { class: `bid${alone ? " alone" : ""}`, key: `${bid.player} ${bid.count} ${bid.face}` }, bidSign(bid), (!brief || alone) && h("bdi", { class: "bidder", key: "bidder" }, bid.player)),
    phase === "over" && winner && !brief && trophy(state),
    phase === "verdict" && verdict && !brief && h("p", { class: "bid", key: "judged" }, bidSign(verdict.bid), h("span", { class: "counted" }, h("span", {}, say.onTheTable), room === "much" ? "→ " : " ", h("strong", {}, counted(verdict)))),
    h("p", { class: alone ? "hidden" : `word ${kind}${said.length > LONG ? " long" : ""}`, key: "word" }, h("bdi", {}, said)),
  );
}

const side = ({ loses }) => (loses ? "bad" : "good");

function happens(state) {
  const { phase, bid, turn, winner, verdict } = state;
  if (phase === "seating") return word.lobby.noGame;
  if (phase === "rolling") return say.whoOpens;
  if (phase === "bidding") return bid ? say.turn(turn) : say.opens(turn);
  if (phase === "verdict" && verdict) return outcome(verdict);
  if (phase === "over") return winner ? say.won(winner) : say.ended;
  return phase === "reading" ? say.cupsUp : word.lobby.phases[phase];
}

// The players

const players = (state, room) =>
  state.players.length > 0 && h("ul", { class: `seats n${state.players.length}`, key: "seats", "aria-label": say.seats }, state.players.map((player) => seat(state, player, room)));

function seat(state, player, room) {
  const { name, colour, dice } = player;
  const judged = ["verdict", "over"].includes(state.phase) ? state.verdict : null;
  const onTurn = state.phase === "bidding" && state.turn === name;
  const out = dice === 0;
  const note = noteOf(state, player, { judged, onTurn, room });
  const lost = judged && judged.loses === name ? judged.lost : 0;
  return h(
    "li",
    { class: `seat ${colour}${onTurn ? " on-turn" : ""}${out ? " is-out" : ""}${state.winner === name ? " wins" : ""}`, key: name },
    room === "little" && h("span", { class: "dice-left", key: "left", role: "img", "aria-label": ofDice(dice, colour) }, dice === null ? h("i", { class: "mini cup" }) : dice),
    h("bdi", { class: `name${name.length > LONG_NAME ? " long" : ""}` }, name),
    note && h("span", { class: `note ${note.kind}`, key: "note" }, note.read ? [h("span", { "aria-hidden": "true" }, note.sign), h("span", { class: "hidden" }, note.read)] : note.sign),
    room !== "little" && h("span", { class: "minis", key: "minis", role: "img", "aria-label": ofDice(dice, colour) }, bodies(dice, lost, Boolean(judged) && judged.gains === name)),
  );
}

// Only the most important note stands beside a name. Where there is no room for the last verdict, its marks stay until the next.
function noteOf(state, { name, dice }, { judged, onTurn, room }) {
  const { winner, palifico, verdict } = state;
  if (winner === name) return { kind: "wins", sign: "★", read: say.won(name) };
  const marked = (judged || (room !== "all" && verdict)) && markOf(verdict, name);
  if (judged && marked) return marked;
  if (palifico === name) return room === "little" ? { kind: "palifico", sign: "P", read: say.palificoShort } : { kind: "palifico", sign: say.palificoShort };
  if (onTurn) return { kind: "turn", sign: say.onTurn };
  if (dice === 0) return { kind: "out", sign: say.out };
  return marked;
}

function markOf(verdict, name) {
  if (verdict.loses === name) return { kind: "bad", sign: `−${verdict.lost}`, read: outcome(verdict) };
  if (verdict.gains === name) return { kind: "good", sign: "+1", read: outcome(verdict) };
  return verdict.right === name ? { kind: "good", sign: "✓", read: word.lobby.wasRight(name) } : null;
}

const ofDice = (dice, colour) => `${dice === null ? say.hidden : say.dice(dice)}, ${say.colours[colour]}`;

function bodies(dice, lost, gains) {
  if (dice === null) return h("i", { class: "mini cup", key: "cup" });
  return [
    Array.from({ length: dice }, (_, n) => h("i", { class: `mini${gains && n === dice - 1 ? " comes" : ""}`, key: n })),
    Array.from({ length: lost }, (_, n) => h("i", { class: "mini goes", key: `goes${n}` })),
  ];
}

// What else is to be known

const more = ({ verdict, palifico, phase }, room) => [
  palifico && room === "all" && h("p", { class: "rule palifico", key: "palifico" }, h("strong", {}, h("bdi", {}, say.pair(say.palificoShort, palifico))), ". ", say.notWild, "."),
  verdict && !isBrief(room) && last(verdict, phase),
];

function last(verdict, phase) {
  const judging = ["verdict", "over"].includes(phase);
  return h(
    "div",
    { class: `last${verdict.sentence.length > MANY_WORDS ? " long" : ""}`, key: `last ${JSON.stringify(verdict)}` },
    !judging && h("p", { class: "label", key: "label" }, word.lobby.lastVerdict),
    h("p", { class: "marks", key: "marks" }, h("bdi", { class: "good" }, `✓ ${word.lobby.wasRight(verdict.right)}`), phase !== "verdict" && h("bdi", { class: side(verdict), key: "outcome" }, outcome(verdict))),
    h("p", { class: "sentence", key: "sentence", dir: "auto" }, verdict.sentence),
  );
}
