// The opening roll: who rolls, the rolls so far, and a button to read the dice.

import { button, h } from "../core/dom.js";
import { dock } from "./undo.js";
import { say } from "../languages/language.js";

/** Whether the dice being read are a roll for the opening. */
export const forOpening = (state) => Boolean(state.opening && state.opening.rolling.length);

/** The rolls so far, one line per roll: "Ana 6, Ben 6, Cid 2". */
export function rolls(state) {
  const rolled = state.opening ? state.opening.rolls : [];
  if (!rolled.length) return null;
  return h(
    "ul",
    { class: "rolls", key: "rolls" },
    rolled.map((roll, n) => {
      const names = state.players.map((player) => player.name).filter((name) => roll[name]);
      return h("li", { key: n }, names.map((name, i) => [i ? ", " : "", h("bdi", {}, `${name} ${roll[name].join(" + ")}`)]));
    }),
  );
}

/** Who rolls now. */
export function rollCard({ state, store }) {
  const { dice, rolling: names, rolls: rolled } = state.opening;
  const tied = names.map((name, n) => [n ? ", " : "", h("bdi", {}, name)]);
  return h(
    "section",
    { class: "card rolling", key: "rolling" },
    h("p", { class: "quiet" }, say.whoOpens),
    h("h2", { class: "whorolls" }, rolled.length ? [tied, `: ${say.rollAgain}`] : say.allRoll(dice)),
    rolls(state),
    h("p", { class: "quiet" }, say.rollHint),
    h("div", { class: "row" }, button("plain", () => store.change({ sheet: { kind: "hand" } }), {}, say.byHand)),
  );
}

/** The one large button. */
export const readRoll = (ctx) =>
  dock(ctx, button("go", () => ctx.post("again"), { disabled: Boolean(ctx.store.get().busy) }, say.readRoll));
