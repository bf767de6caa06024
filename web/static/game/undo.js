// Undo and redo, always in reach of the thumb.

import { button, h } from "../core/dom.js";
import { acts, speaksFor } from "../core/identity.js";
import { say, textOf } from "../languages/language.js";

// Undone without a question: a correction, and a bid of one's own. There are many of them, and they are quickly done again.
const light = ({ undo, bid }, me) => undo.kind === "die" || (undo.kind === "bid" && Boolean(bid) && speaksFor(me, bid.player));

/** Undo the last step, or ask first. */
export function takeBack({ state, store, post }) {
  const { step } = state.undo;
  if (light(state, store.get().me)) post("undo", { step });
  else store.change({ sheet: { kind: "undo", step } });
}

/** The buttons to undo and redo the last step; null when there is neither. */
export function steps({ state, store, post }) {
  const { undo, redo } = state;
  if (!undo && !redo) return null;
  const { busy } = store.get();
  return h(
    "div",
    { class: "steps", key: "steps" },
    undo && icon("undo", () => takeBack({ state, store, post }), busy, say.undo(textOf(undo)), "M4 9H14A5 5 0 0 1 14 20H8M8 5L4 9L8 13"),
    redo && icon("undo redo", () => post("redo", { step: redo.step }), busy, say.redo(textOf(redo)), "M20 9H10A5 5 0 0 0 10 20H16M16 5L20 9L16 13"),
  );
}

// A quiet button: what it does is said by the question that it asks, or by what follows.
const icon = (cls, tap, busy, label, path) =>
  button(
    `icon ${cls}`,
    tap,
    { key: cls, "aria-disabled": busy ? "true" : null, "aria-label": label, title: label },
    h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: path })),
  );

/** The button to take a seat, for a phone that may do nothing yet. */
export const toSeat = (store, me) =>
  button(
    "go join",
    () => store.change({ sheet: { kind: me.joined ? "who" : "join" } }),
    { key: "join" },
    me.joined ? say.takeSeat : say.joinTable,
  );

/** The foot of a phone's screen: what to do next, and undo. A phone that only watches is told so instead. */
export function dock(ctx, main) {
  const { store } = ctx;
  const { me } = store.get();
  if (me && !acts(me)) {
    return h("div", { class: "dock watches", key: "dock" }, h("p", { class: "quiet" }, say.onlyWatches), toSeat(store, me));
  }
  return h("div", { class: "dock", key: "dock" }, h("div", { class: "onward" }, main), steps(ctx));
}

/** The question before a step is undone. */
export function undoQuestion({ state, post }, close, after) {
  return h(
    "div",
    { class: "asked" },
    button("go danger", () => after(post("undo", { step: state.undo.step })), {}, say.undoIt),
    button("plain", close, {}, say.keep),
  );
}
