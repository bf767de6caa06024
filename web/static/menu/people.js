// A player's card: their bids and record, leaving and coming back, the number of dice put right. And the form of somebody who joins a running game.

import { bidSign } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { diceEach, plays } from "../game/players.js";
import { between, inRound } from "./menu.js";
import { acts, alone, isRobot, own, speaksFor } from "../core/identity.js";
import { standing } from "../game/legal-bids.js";
import { jump } from "../game/pad.js";
import { select } from "./house-rules.js";
import { loadWords, say, word } from "../languages/language.js";

/** Settles with this module, once its words are there. */
export async function ready() {
  await loadWords("past");
  return { sheet };
}

/** The sheet: [title, content]. */
export const sheet = (ctx, open, close) => (open.kind === "player" ? card(ctx, open, close) : joining(ctx, open, close));

const count = (n) => Array.from({ length: n }, (_, k) => k + 1);

// The page "" says what the player did, "dice" puts the number of dice right.
function card(ctx, { player: name, page = "" }, close) {
  return [name, page === "dice" ? putRight(ctx, name, close) : about(ctx, name, close)];
}

const mayPut = (state, name) => !state.away.some((each) => each.name === name) && (inRound(state) || state.phase === "verdict");

function putRight({ state, post }, name, close) {
  const player = state.players.find((each) => each.name === name);
  const put = (dice) => (dice === player.dice ? close() : post("player-dice", { player: name, dice }).then((done) => done && close()));
  return h(
    "div",
    { class: "asked card-of", key: `dice ${name}` },
    h("p", { class: "quiet", key: "hint" }, say.diceHint(name)),
    mayPut(state, name) &&
      h(
        "div",
        { class: "numbers", key: "numbers", role: "group", "aria-label": say.diceHint(name) },
        count(diceEach(state)).map((n) =>
          button("plain choice", () => put(n), { key: n, "data-dice": n, "aria-label": say.dice(n), "aria-pressed": String(player.dice === n) }, h("i", { class: `mini ${player.colour}` }), h("span", {}, n)),
        ),
      ),
    h("p", { class: "quiet", key: "told" }, say.allAreTold),
  );
}

function about({ state, store, post }, name, close) {
  const player = state.players.find((each) => each.name === name);
  const away = state.away.find((each) => each.name === name);
  const { me } = store.get();
  const may = acts(me);
  const after = (promise) => promise.then((done) => done && close());
  const open = (sheet) => store.change({ sheet });
  const bids = (state.bids || []).filter((bid) => bid.player === name);
  return h(
    "div",
    { class: "asked card-of", key: name },
    h("p", { class: "theirbids", key: "bids" }, bids.length ? bids.map((bid, n) => bidSign(bid, `inline${n < bids.length - 1 ? " older" : ""}`)) : h("span", { class: "quiet" }, say.noBid)),
    recordOf(store, state, name),
    !plays(player) && !away && h("p", { class: "quiet", key: "out" }, say.out),
    may && away && between(state) && button("go", () => after(post("back", { player: name })), { key: "back", "data-item": "back" }, h("bdi", {}, say.back(name, away.dice))),
    may && between(state) && plays(player) && button("plain", () => open({ kind: "menu", page: "leaving", player: name }), { key: "leave", "data-item": "leave" }, h("bdi", {}, say.leaves(name))),
    own(me) && own(me) !== name && speaksFor(me, name) && state.phase === "bidding" && state.may.calza.includes(name) && button("plain", () => after(post("calza", { player: name })), { key: "calza", "data-item": "calza" }, h("bdi", {}, say.calls(name, "calza"))),
    mayJump(state, store, name) && button("plain", () => jump(store, state, name), { key: "jump", "data-item": "jump" }, h("bdi", {}, name === state.turn ? say.breaksRules(name) : say.jumps(name))),
    mayStandIn(state, me, name) && button("plain", () => store.change({ standIn: standing(state), sheet: null }), { key: "instead", "data-item": "instead" }, h("bdi", {}, say.playInstead(name))),
    may && between(state) && button("plain", () => open({ kind: "newcomer", after: name }), { key: "join", "data-item": "join" }, h("bdi", {}, say.joinsLeftOf(name))),
    may && mayPut(state, name) && button("link", () => open({ kind: "player", player: name, page: "dice" }), { key: "correct", "data-item": "correct" }, say.correctDice),
  );
}

let asked = null; // the game for which the record was asked for
let record = []; // what the players did in the past games

// What a player did in the past games; null until it is known, and for who has played none.
function recordOf(store, { game }, name) {
  if (asked !== game) {
    asked = game;
    fetch("/api/v1/statistics", { cache: "no-store" })
      .then((answer) => answer.json())
      .then(({ statistics }) => {
        record = statistics.players;
        store.change({});
      })
      .catch(() => {}); // the card says the rest without it
  }
  const found = record.find((each) => each.name === name);
  if (!found) return null;
  const { games, won, dudos } = found;
  const calls = dudos.called ? [say.pair(word.past.right.dudos, word.past.ofCalls(dudos.right, dudos.called))] : [];
  return h("p", { class: "quiet record", key: "record" }, [word.past.games(games), say.pair(word.past.measures.won, won), ...calls].join(" · "));
}

// Whether a bid of this player against the rules can be entered here.
function mayJump(state, store, name) {
  const { me } = store.get();
  const here = !alone(me, state) && (speaksFor(me, name) || (acts(me) && me.host && !isRobot(me, name)));
  return here && state.phase === "bidding" && plays(state.players.find((player) => player.name === name));
}

// Whether the host may bid in this player's place, who has a phone and is on turn.
const mayStandIn = (state, me, name) => acts(me) && me.host && state.phase === "bidding" && name === state.turn && !speaksFor(me, name) && !isRobot(me, name);

// What is typed is kept in the store's sheet, so that a new state does not lose it.
function joining({ state, store, post }, open, close) {
  const free = Object.keys(say.colours).filter((colour) => !state.players.some((player) => player.colour === colour));
  const fewest = Math.min(...state.players.filter((player) => player.dice).map((player) => player.dice), diceEach(state));
  const last = state.players[state.players.length - 1].name;
  const { name = "", dice = fewest, said = "" } = open;
  const colour = free.includes(open.colour) ? open.colour : free[0];
  const after = state.players.some((player) => player.name === open.after) ? open.after : last;
  const change = (part) => store.change({ sheet: { ...store.get().sheet, said: "", ...part } });
  const waits = !between(state) || (Boolean(state.bid) && state.phase !== "verdict");
  const sit = async (event) => {
    event.preventDefault();
    const typed = (store.get().sheet.name || "").trim(); // at the tap, not at the last drawing
    if (!typed) {
      change({ said: say.nameMissing });
      return;
    }
    if (await post("newcomer", { player: typed, colour, dice, after }, { refused: (sentence) => change({ said: sentence }) })) close();
  };
  return [
    say.joins,
    h(
      "form",
      { class: "gameform newcomer", key: "newcomer", novalidate: true, autocomplete: "off", on: { submit: sit } },
      waits && h("p", { class: "problem", key: "later" }, say.joinsLater),
      h(
        "div",
        { class: "seat", key: "who" },
        h("i", { class: `mini large ${colour}` }),
        h("input", { type: "text", maxlength: 24, dir: "auto", autocapitalize: "words", spellcheck: "false", placeholder: say.name, "aria-label": say.name, value: name, on: { input: (event) => change({ name: event.target.value }) } }),
        select(say.colour, colour, free.map((each) => [each, say.colours[each]]), (each) => change({ colour: each })),
      ),
      field(say.joinsWith, select(say.joinsWith, String(dice), count(diceEach(state)).map((n) => [String(n), say.dice(n)]), (n) => change({ dice: Number(n) }))),
      field(say.joinsWhere, select(say.joinsWhere, after, state.players.map((player) => [player.name, say.leftOf(player.name)]), (each) => change({ after: each }))),
      said && h("p", { class: "problem", key: "said", role: "alert" }, said),
      h("button", { type: "submit", class: "go", key: "sit", disabled: waits || Boolean(store.get().busy) }, say.sitDown),
    ),
  ];
}

const field = (label, input) => h("label", { class: "field", key: label }, h("span", {}, label), input);
