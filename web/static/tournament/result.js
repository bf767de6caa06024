// A table's result, entered by tapping its players in the order of their places. It can begin with the places of a game that
// was played under other names: then it asks who those players were.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { called } from "../lobby/names.js";
import { refusal, takeFocus } from "../manager/form.js";
import { tableTitle } from "./names.js";

const TREMBLE = 500; // ms in which a second tap on the same player is none

/** Its part of a page's store: {round, table, players, places, absent, game, mode, past}, or null. */
export const RESULT = { entry: null };

/** Everybody who was drawn at a table. */
export const drawnAt = ({ players, absent }) => [...players, ...absent];

/** Begin with a table of a round: with the result there is, or without those who have left. `entrants`: name -> whether here. */
export function openEntry(round, table, entrants) {
  const players = drawnAt(table);
  const absent = table.places ? table.absent : players.filter((name) => !entrants[name]);
  return { round, table: table.number, players, places: table.places || [], absent, game: null, mode: "", past: [] };
}

/** Begin with the game that has ended at a table: `game` is {id, places, players, names}, with a name in the game -> the entrant. */
export function openGame(tournament, round, table) {
  const { game: id, places, players } = table.ended;
  const entry = openEntry(round, table, tournament.entrants);
  const known = new Set([...entry.players, ...others(tournament, round, entry.players)]);
  const names = Object.fromEntries(places.flat().filter((name) => known.has(name)).map((name) => [name, name]));
  return asPlayed(entry, { id, places, players, names });
}

// The entry with what is known of the game; null stands for a player who is still to be named.
function asPlayed(entry, game) {
  const who = (name) => (name in game.names ? game.names[name] : null);
  const places = game.places.map((group) => group.map(who).filter((name) => name !== "")).filter((group) => group.length);
  const named = places.flat();
  return { ...entry, game, places, absent: named.includes(null) ? [] : entry.players.filter((name) => !named.includes(name)) };
}

/** The name in the game of which it is still to be said who that is; undefined if there is none. */
export const askedFor = ({ game }) => (game ? game.places.flat().find((name) => !(name in game.names)) : undefined);

/** Whether the entry is about this table as it was drawn: somebody may have drawn the round again. */
export const isAbout = (entry, round, table) => entry !== null && entry.round === round && entry.table === table.number && entry.players.join("\n") === drawnAt(table).join("\n");

const without = (places, name) => places.map((group) => group.filter((each) => each !== name)).filter((group) => group.length);

const kept = ({ places, absent, game, past }) => [...past, { places, absent, game }];

// It was `entrant` who is asked for; "" for somebody who does not take part.
const answered = (entry, entrant) => asPlayed({ ...entry, past: kept(entry) }, { ...entry.game, names: { ...entry.game.names, [askedFor(entry)]: entrant } });

/** The entry after a tap on `name`: who has a place gives it up, everybody else gets the next one. */
export function tapped(entry, name) {
  const { places, absent, mode } = entry;
  const placed = places.flat().includes(name);
  if (askedFor(entry) !== undefined) return placed ? entry : answered(entry, name);
  const left = without(places, name);
  const next = { ...entry, places: left, absent: absent.filter((each) => each !== name), game: null, mode: "", past: kept(entry) };
  if (mode === "absent") return { ...next, absent: [...next.absent, name] };
  if (mode === "shared" && left.length) return { ...next, places: [...left.slice(0, -1), [...left[left.length - 1], name]] };
  return placed ? next : { ...next, places: [...left, [name]] };
}

const undone = (entry) => ({ ...entry, ...entry.past[entry.past.length - 1], mode: "", past: entry.past.slice(0, -1) });

const placeOf = (places, name) => {
  const group = places.findIndex((each) => each.includes(name));
  return group < 0 ? 0 : 1 + places.slice(0, group).flat().length;
};

// Who a player of the game was, as a question.
function question({ game }, name) {
  const player = game.players.find((each) => each.name === name) || { name, named: true };
  return word.tournaments.whoWas(called(player), placeOf(game.places, name));
}

// Who is here and sits nowhere in this round: somebody may have sat down without being drawn, or have come after all.
function others({ entrants, rounds }, round, players) {
  const seated = new Set(rounds[round - 1].tables.flatMap((each) => each.players));
  return Object.keys(entrants).filter((name) => entrants[name] && !seated.has(name) && !players.includes(name));
}

// The focus returns to the button that opened the form.
const goBack = (table) =>
  queueMicrotask(() => {
    const button = document.querySelector(`[data-enter="${table}"]`);
    if (button && document.activeElement === document.body) button.focus({ preventScroll: true });
  });

let before = { name: "", at: 0 }; // the last tap on a player

/** The form. `send(where, path, body)`: sends it, and says whether it was done. */
export function resultForm(value, store, send, table) {
  const { entry, busy, tables, tournament } = value;
  const { places, absent, game, mode, past, players, round } = entry;
  const asked = askedFor(entry);
  const began = [game, ...past.map((each) => each.game)].some(Boolean); // with a game
  const change = (next) => {
    before = { name: "", at: 0 };
    store.change({ entry: next, refused: null });
  };
  const turn = (wanted) => change({ ...store.get().entry, mode: mode === wanted ? "" : wanted });
  const tap = (name, at) => {
    if (before.name === name && at - before.at < TREMBLE) return;
    change(tapped(store.get().entry, name));
    before = { name, at };
  };
  const finish = async (path, body) => (await send("result", path, { round, table: table.number, ...body })) && change(null);
  const played = () => game && { game: game.id, names: Object.fromEntries(Object.entries(game.names).filter(([name, who]) => name !== who)) };
  const mark = (name) => (absent.includes(name) ? "–" : placeOf(places, name) || "");
  const waiting = others(tournament, round, players);
  const pick = (name) =>
    h("li", { key: name }, button(`pick${mark(name) === "" ? "" : " done"}`, ({ timeStamp }) => tap(name, timeStamp), { "data-pick": name }, h("span", { class: "place" }, mark(name)), h("bdi", {}, name), absent.includes(name) && h("small", { key: "said" }, word.tournaments.wasAbsent)));
  const armed = (wanted, off, text) => button("plain small", () => turn(wanted), { key: wanted, "data-item": wanted, disabled: off, "aria-pressed": String(mode === wanted) }, text);
  const says = asked !== undefined ? question(entry, asked) : game ? word.tournaments.asPlayed : word.tournaments.tapInOrder;
  return h(
    "div",
    { class: "entry", key: "entry", role: "group", mount: takeFocus("button"), unmount: () => goBack(table.number), "aria-label": word.tournaments.resultOf(tableTitle(tables, table)) },
    h("p", { class: `${began ? "says" : ""}${asked !== undefined ? "" : " quiet"}`, role: "status" }, h("bdi", {}, says)),
    h("ul", { class: "picks", key: "players" }, players.map(pick)),
    waiting.length > 0 && h("details", { class: "folded", key: "others", "data-item": "others" }, h("summary", {}, word.tournaments.others), h("ul", { class: "picks" }, waiting.map(pick))),
    h(
      "div",
      { class: "row", key: "modes" },
      armed("shared", asked !== undefined || places.length === 0, word.tournaments.shared),
      armed("absent", asked !== undefined, word.tournaments.absent),
      began && button("plain small", () => change(answered(store.get().entry, "")), { key: "nobody", "data-item": "nobody", disabled: asked === undefined }, word.tournaments.nobody),
      button("plain small", () => change(undone(store.get().entry)), { key: "undo", "data-item": "undo", disabled: past.length === 0 }, word.tournaments.undo),
    ),
    refusal(value, "result"),
    button("go", () => finish("result", { places, absent, ...played() }), { key: "save", "data-item": "save", disabled: busy || places.length === 0 || asked !== undefined }, word.tournaments.save),
    h(
      "div",
      { class: "row", key: "out" },
      table.places && button("plain danger", () => finish("result/back", {}), { key: "back", "data-item": "take-back", disabled: busy }, word.tournaments.takeBack),
      button("plain", () => change(null), { key: "cancel", "data-item": "cancel" }, word.tournaments.cancel),
    ),
  );
}
