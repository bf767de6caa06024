// A table's result, entered by tapping its players in the order of their places.

import { button, h } from "../core/dom.js";
import { tournamentWord } from "../languages/lobby.js";
import { refusal, takeFocus } from "../manager/form.js";
import { tableTitle } from "./names.js";

/** Its part of a page's store: {round, table, players, places, absent, mode, past}, or null. */
export const RESULT = { entry: null };

/** Begin with a table of a round. */
export const openEntry = (round, { number, players }) => ({ round, table: number, players, places: [], absent: [], mode: "", past: [] });

/** Whether the entry is about this table as it was drawn: somebody may have drawn the round again. */
export const isAbout = (entry, round, { number, players }) => entry !== null && entry.round === round && entry.table === number && entry.players.join("\n") === players.join("\n");

/** The entry after a tap on `name`. */
export function tapped(entry, name) {
  const { places, absent, mode, past } = entry;
  if (absent.includes(name) || places.flat().includes(name)) return entry;
  const before = [...past, { places, absent }];
  if (mode === "absent") return { ...entry, absent: [...absent, name], mode: "", past: before };
  const shares = mode === "shared" && places.length > 0;
  return { ...entry, places: shares ? [...places.slice(0, -1), [...places[places.length - 1], name]] : [...places, [name]], mode: "", past: before };
}

const undone = (entry) => ({ ...entry, ...entry.past[entry.past.length - 1], mode: "", past: entry.past.slice(0, -1) });

const placeOf = (places, name) => {
  const group = places.findIndex((each) => each.includes(name));
  return group < 0 ? 0 : 1 + places.slice(0, group).flat().length;
};

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

/** The form. `send(where, path, body)`: sends it, and says whether it was done. */
export function resultForm(value, store, send, table) {
  const { entry, busy, tables, tournament } = value;
  const { places, absent, mode, past, players, round } = entry;
  const change = (next) => store.change({ entry: next, refused: null });
  const turn = (wanted) => change({ ...store.get().entry, mode: mode === wanted ? "" : wanted });
  const finish = async (path, body) => (await send("result", path, { round, table: table.number, ...body })) && change(null);
  const mark = (name) => (absent.includes(name) ? "–" : placeOf(places, name) || "");
  const said = (name) => (absent.includes(name) ? tournamentWord.wasAbsent : "");
  const waiting = others(tournament, round, players);
  const pick = (name) => {
    const done = mark(name) !== "";
    return h("li", { key: name }, button(`pick${done ? " done" : ""}`, () => change(tapped(store.get().entry, name)), { "data-pick": name, "aria-disabled": done ? "true" : null }, h("span", { class: "place" }, mark(name)), h("bdi", {}, name), said(name) && h("small", { key: "said" }, said(name))));
  };
  return h(
    "div",
    { class: "entry", key: "entry", role: "group", mount: takeFocus("button"), unmount: () => goBack(table.number), "aria-label": tournamentWord.resultOf(tableTitle(tables, table)) },
    h("p", { class: "quiet" }, tournamentWord.tapInOrder),
    h("ul", { class: "picks", key: "players" }, players.map(pick)),
    waiting.length > 0 && h("details", { class: "folded", key: "others", "data-item": "others" }, h("summary", {}, tournamentWord.others), h("ul", { class: "picks" }, waiting.map(pick))),
    h(
      "div",
      { class: "row", key: "modes" },
      places.length > 0 && button("plain small", () => turn("shared"), { key: "shared", "data-item": "shared", "aria-pressed": String(mode === "shared") }, tournamentWord.shared),
      button("plain small", () => turn("absent"), { key: "absent", "data-item": "absent", "aria-pressed": String(mode === "absent") }, tournamentWord.absent),
      button("plain small", () => change(undone(store.get().entry)), { key: "undo", "data-item": "undo", disabled: past.length === 0 }, tournamentWord.undo),
    ),
    refusal(value, "result"),
    button("go", () => finish("result", { places, absent }), { key: "save", "data-item": "save", disabled: busy || places.length === 0 }, tournamentWord.save),
    h(
      "div",
      { class: "row", key: "out" },
      table.places && button("plain danger", () => finish("result/back", {}), { key: "back", "data-item": "take-back", disabled: busy }, tournamentWord.takeBack),
      button("plain", () => change(null), { key: "cancel", "data-item": "cancel" }, tournamentWord.cancel),
    ),
  );
}
