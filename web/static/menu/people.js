// A player's card: the number of dice put right, leaving and coming back. And the form of somebody who joins a running game.

import { button, h } from "../core/dom.js";
import { diceEach, plays } from "../game/players.js";
import { between, inRound } from "./menu.js";
import { acts, speaksFor } from "../core/identity.js";
import { jump } from "../game/pad.js";
import { select } from "./house-rules.js";
import { say } from "../languages/language.js";

/** The sheet: [title, content]. */
export const sheet = (ctx, open, close) => (open.kind === "player" ? card(ctx, open.player, close) : joining(ctx, open, close));

const count = (n) => Array.from({ length: n }, (_, k) => k + 1);

function card({ state, store, post }, name, close) {
  const player = state.players.find((each) => each.name === name);
  const away = state.away.find((each) => each.name === name);
  const after = (promise) => promise.then((done) => done && close());
  const put = (dice) => (dice === player.dice ? close() : after(post("player-dice", { player: name, dice })));
  const mayPut = !away && (inRound(state) || state.phase === "verdict");
  const open = (sheet) => store.change({ sheet });
  return [
    name,
    h(
      "div",
      { class: "asked card-of", key: name },
      mayPut && h("p", { class: "quiet", key: "hint" }, say.diceHint(name)),
      mayPut &&
        h(
          "div",
          { class: "numbers", key: "numbers", role: "group", "aria-label": say.diceHint(name) },
          count(diceEach(state)).map((n) =>
            button("plain choice", () => put(n), { key: n, "data-dice": n, "aria-label": say.dice(n), "aria-pressed": String(player.dice === n) }, h("i", { class: `mini ${player.colour}` }), h("span", {}, n)),
          ),
        ),
      !plays(player) && !away && h("p", { class: "quiet", key: "out" }, say.out),
      away && between(state) && button("go", () => after(post("back", { player: name })), { key: "back", "data-item": "back" }, h("bdi", {}, say.back(name, away.dice))),
      between(state) && plays(player) && button("plain", () => open({ kind: "menu", page: "leaving", player: name }), { key: "leave", "data-item": "leave" }, h("bdi", {}, say.leaves(name))),
      mayJump(state, store, name) && button("plain", () => jump(store, state, name), { key: "jump", "data-item": "jump" }, h("bdi", {}, say.jumps(name))),
      between(state) && button("plain", () => open({ kind: "newcomer", after: name }), { key: "join", "data-item": "join" }, h("bdi", {}, say.joinsLeftOf(name))),
    ),
  ];
}

// Whether a bid of this player out of turn can be entered here.
function mayJump(state, store, name) {
  const { me } = store.get();
  const here = speaksFor(me, name) || (me.host && acts(me));
  return here && state.phase === "bidding" && name !== state.turn && plays(state.players.find((player) => player.name === name));
}

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
