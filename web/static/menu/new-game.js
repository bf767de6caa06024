// A new game: who sits where, which dice are whose, and by which rules.

import { button, h } from "../core/dom.js";
import { loadWords, say, word } from "../languages/language.js";
import { clubOf, demoOf } from "../game/lazy-views.js";
import { drawn } from "../game/players.js";
import { asBook, asPlayed, houseRules, houseRulesOf, rulesChoice, select } from "./house-rules.js";

const LENGTHS = [2, 3, 4, 5]; // games that win a series
const SECONDS = [15, 30, 45, 60, 90, 120]; // of a turn

/** Settles with the form, once its words are there. */
export async function ready() {
  await loadWords("past");
  return { newGame, rematch };
}

/** The initial form: the players of the current or last game, or two empty seats; with `names` these players. */
export function firstForm(state, choices, names = null) {
  const last = state.company || state;
  const dice = (state.company && state.company.dice) || {};
  const seats = names ? newSeats(names, state, choices) : last.players.map(({ name, colour }) => ({ name, colour, dice: dice[name] || null })); // null: all of them
  while (seats.length < 2) seats.push({ name: "", colour: free(seats, coloursOf(state, choices)), dice: null });
  const rules = last.players.length ? asPlayed(choices, { ...last, rules: last.rules || {}, name: last.rules_name }) : asBook(choices, last.ruleset);
  return {
    seats: seats.map((seat, n) => ({ ...seat, id: n })),
    next: seats.length,
    more: false, // whether more than names, colours and the book is shown
    house: false, // whether every rule is shown
    others: Boolean(names), // whether they are not the players of last time
    firstTo: names ? 0 : (state.company && state.company.first_to) || (state.series && state.series.first_to) || 0,
    seconds: (state.company || state).turn_seconds || 0,
    ...rules, // its `starter` is "random" or "roll", and may be the id of a seat
    said: "",
  };
}

// All colours, those of the last game first: their dice are on the table.
const coloursOf = (state, { colours }) => [...(state.company || state).players.map(({ colour }) => colour), ...colours];

// Who has played the last game keeps the colour.
function newSeats(names, state, choices) {
  const kept = new Map((state.company || state).players.map(({ name, colour }) => [name, colour]));
  const seats = names.map((name) => ({ name, colour: kept.get(name), dice: null }));
  for (const seat of seats) seat.colour = seat.colour || free(seats, coloursOf(state, choices));
  return seats;
}

// Swaps a player with a neighbour.
function moved(seats, at, by) {
  const other = [...seats];
  [other[at], other[at + by]] = [seats[at + by], seats[at]];
  return other;
}

const free = (seats, colours) => colours.find((colour) => !seats.some((seat) => seat.colour === colour)) || colours[0];

// If another player has the colour, the two swap: no two players may have the same.
function swapped(seats, id, colour) {
  const before = seats.find((seat) => seat.id === id).colour;
  return seats.map((seat) => {
    if (seat.id === id) return { ...seat, colour };
    return seat.colour === colour ? { ...seat, colour: before } : seat;
  });
}

const handicaps = (all) => Array.from({ length: all }, (_, n) => [String(all - n), say.dice(all - n)]);

// A field for a number; 0 is none. One that a program chose is offered too.
function number(label, value, offered, none, inWords, change) {
  const values = [...new Set([...offered, value])].filter(Boolean).sort((a, b) => a - b);
  const options = [["0", none], ...values.map((n) => [String(n), inWords(n)])];
  return h("label", { class: "field", key: label }, h("span", {}, label), select(label, String(value), options, (text) => change(Number(text))));
}

// The name in a seat of the form; an empty field shows it too.
const nameOf = ({ name }, n) => name.trim() || say.player(n + 1);

// What the box is told of a form.
function asCommand(choices, filled, playing) {
  const first = filled.seats.findIndex((s) => String(s.id) === filled.starter);
  const names = filled.seats.map(nameOf);
  const handicaps = filled.seats.flatMap((s, n) => (s.dice && s.dice < filled.values.dice_each ? [[names[n], s.dice]] : []));
  const rulesName = filled.rulesName.trim();
  return {
    players: filled.seats.map((s, n) => ({ name: names[n], colour: s.colour })),
    ruleset: filled.ruleset,
    calza: filled.calza,
    starter: first < 0 ? null : names[first],
    roll: filled.starter === "roll",
    dice: Object.fromEntries(handicaps),
    open_lost: filled.openLost,
    rules: houseRules(choices, filled),
    first_to: filled.firstTo,
    turn_seconds: filled.seconds,
    ...(rulesName ? { rules_name: rulesName } : {}),
    ...(playing ? { abandon: true } : {}),
  };
}

/** Begin another game of the same players by the same rules. */
export function rematch({ state, store, post }) {
  const { choices } = store.get();
  if (choices) post("game", asCommand(choices, firstForm(state, choices), false));
}

/** The form. It is kept in the store, so that a new state does not lose what was typed. */
export function newGame(ctx) {
  const { state, store, post, ask } = ctx;
  const { choices, form: kept, busy, sheet, me } = store.get();
  if (!choices) return h("p", { class: "quiet", key: "nochoices" }, say.connecting);
  const assigned = drawn(state);
  const form = kept || firstForm(state, choices, sheet && sheet.kind === "game" ? sheet.players : assigned && assigned.players);
  const now = () => store.get().form || form;
  const change = (part) => store.change({ form: { ...now(), said: "", ...part } });
  const seat = (id, part) => change({ seats: now().seats.map((s) => (s.id === id ? { ...s, ...part } : s)) });
  const remove = (id) => change({ seats: now().seats.filter((s) => s.id !== id) });
  const add = () => {
    const { seats, next } = now();
    change({ seats: [...seats, { id: next, name: "", colour: free(seats, coloursOf(state, choices)), dice: null }], next: next + 1 });
  };
  const refill = (names) => {
    const { seats, next, others, firstTo } = firstForm(state, choices, names);
    change({ seats, next, others, firstTo });
  };
  const move = (at, by) => change({ seats: moved(now().seats, at, by) });
  const playing = !["seating", "over"].includes(state.phase);
  const first = state.phase === "seating" && !state.company && (!me || me.role === null); // this phone is the first player's

  const { dice_each: all, most_players: most } = form.values;
  const openers = [
    ["random", say.random],
    ["roll", say.rollFor],
    ...form.seats.map((s, n) => [String(s.id), nameOf(s, n)]),
  ];
  const starter = openers.some(([id]) => id === form.starter) ? form.starter : "random"; // its seat may have been removed

  const start = async (event) => {
    event.preventDefault();
    const filled = now(); // at the tap, not at the last drawing
    const names = filled.seats.map(nameOf);
    if (new Set(names).size < names.length) {
      change({ said: say.nameTwice });
      return;
    }
    const begin = async () => {
      if (!(await post("game", asCommand(choices, filled, playing)))) return;
      store.change({ form: null, sheet: null });
      if (first) ask("seat", { role: "player", player: names[0] });
    };
    if (me && me.joined) begin();
    else store.change({ sheet: { kind: "join", back: sheet, then: begin } });
  };

  return h(
    "form",
    { class: "gameform", key: "gameform", novalidate: true, autocomplete: "off", on: { submit: start } },
    h(
      "div",
      { class: "fields", key: "fields" },
      state.demo && demoOf(ctx, "offer"),
      clubOf({ ...ctx, form, refill }, "choice"),
      h("p", { class: "quiet" }, playing ? say.abandonHint : state.company && !form.others ? say.lastCompany : say.seats),
      h(
        "ol",
        { class: "seats" },
        form.seats.map((s, n) =>
          h(
            "li",
            { key: s.id, class: "seat" },
            h("i", { class: `mini large ${s.colour}` }),
            h("input", {
              type: "text",
              maxlength: 24,
              dir: "auto",
              autocapitalize: "words",
              spellcheck: "false",
              enterkeyhint: "next",
              placeholder: say.player(n + 1),
              "aria-label": `${say.name}, ${say.player(n + 1)}`,
              value: s.name,
              on: { input: (event) => seat(s.id, { name: event.target.value }) },
            }),
            select(
              say.colourOf(n + 1),
              s.colour,
              choices.colours.map((colour) => [colour, say.colours[colour] || colour]),
              (colour) => change({ seats: swapped(now().seats, s.id, colour) }),
            ),
            first && n === 0 && h("span", { class: "you", key: "you" }, say.you),
            form.seats.length > 2 &&
              button("icon", () => remove(s.id), { "aria-label": say.removePlayer(n + 1) }, "×"),
            form.more &&
              h(
                "div",
                { class: "seatmore", key: "more" },
                button("plain", () => move(n, -1), { "aria-label": say.moveUp(n + 1), disabled: n === 0 }, "↑"),
                button("plain", () => move(n, 1), { "aria-label": say.moveDown(n + 1), disabled: n === form.seats.length - 1 }, "↓"),
                select(say.diceOf(n + 1), String(Math.min(s.dice || all, all)), handicaps(all), (dice) => seat(s.id, { dice: Number(dice) })),
              ),
          ),
        ),
      ),
      h(
        "div",
        { class: "row" },
        form.seats.length < most && button("plain add", add, { key: "add" }, `+ ${say.addPlayer}`),
      ),
      rulesChoice(choices, form, change),
      button("plain more", () => change({ more: !now().more }), { key: "more", "aria-expanded": String(form.more) }, say.rulesMore),
      form.more && [
        houseRulesOf(choices, form, change),
        h("label", { class: "field" }, h("span", {}, say.first), select(say.first, starter, openers, (starter) => change({ starter }))),
        h(
          "label",
          { class: "field check" },
          h("input", { type: "checkbox", checked: form.calza, on: { change: (event) => change({ calza: event.target.checked }) } }),
          h("span", {}, say.calzaAllowed),
        ),
        number(word.past.series, form.firstTo, LENGTHS, word.past.noSeries, word.past.seriesTo, (firstTo) => change({ firstTo })),
        number(word.past.clock, form.seconds, SECONDS, word.past.noClock, word.past.seconds, (seconds) => change({ seconds })),
      ],
    ),
    form.said && h("p", { class: "problem", role: "alert" }, form.said),
    h(
      "button",
      { type: "submit", class: `go${playing ? " danger" : ""}`, disabled: Boolean(busy) },
      playing ? say.abandon : say.start,
    ),
  );
}
