// Undo and redo, always in reach of the thumb.

import { button, h } from "../core/dom.js";
import { acts, speaksFor } from "../core/identity.js";
import { say, textOf } from "../languages/language.js";

// Undone without a question: a correction, and a bid of one's own. There are many of them, and they are quickly done again.
const light = ({ undo, bid }, me) => undo.kind === "die" || (undo.kind === "bid" && Boolean(bid) && speaksFor(me, bid.player));

/** The buttons to undo and redo the last step; null when there is neither. */
export function steps({ state, store, post }) {
  const { undo, redo } = state;
  if (!undo && !redo) return null;
  const { busy, me } = store.get();
  const back = () => {
    if (light(state, me)) post("undo", { step: undo.step });
    else store.change({ sheet: { kind: "undo", step: undo.step } }); // ask first
  };
  return h(
    "div",
    { class: "steps", key: "steps" },
    undo && button("undo", back, { key: "undo", "aria-disabled": busy ? "true" : null }, h("bdi", {}, say.undo(textOf(undo)))),
    redo &&
      button(
        "undo redo",
        () => post("redo", { step: redo.step }),
        { key: "redo", "aria-disabled": busy ? "true" : null },
        h("bdi", {}, say.redo(textOf(redo))),
      ),
  );
}

/** The button to take a seat, for a phone that may do nothing yet. */
export const toSeat = (store, me) =>
  button(
    "go join",
    () => store.change({ sheet: { kind: me.joined ? "who" : "join" } }),
    { key: "join" },
    me.joined ? say.takeSeat : say.joinTable,
  );

/** The foot of a phone's screen: what to do next, and undo; null when there is nothing. A phone that only watches is told
 * so instead. */
export function dock(ctx, main = null) {
  const { store } = ctx;
  const { me } = store.get();
  if (me && !acts(me)) {
    return main && h("div", { class: "dock watches", key: "dock" }, h("p", { class: "quiet" }, say.onlyWatches), toSeat(store, me));
  }
  const back = steps(ctx);
  return main || back ? h("div", { class: "dock", key: "dock" }, back, main) : null;
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
