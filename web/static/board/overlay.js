// The table over the picture of a stream, one strip: what happens on the left, the players' dice on the right, nothing behind.

import { h } from "../core/dom.js";
import { against, callLine, outcome } from "../reveal/judgement.js";
import { seats } from "./seats.js";
import { palifico, saidLine, trail } from "./views.js";
import { say } from "../languages/language.js";

const MOST_BIDS = 3;

/** The whole overlay; empty while there is no table. `show` is the module of the views of a reveal, null until it is loaded. */
export function overlay({ state, line, announced }, show) {
  const status = h("div", { class: "hidden", key: "announced", "aria-live": "polite", role: "status" }, announced);
  if (!state || state.phase === "seating") return [status];
  return [
    status,
    h(
      "main",
      { class: `o-table ${state.phase}${line === false ? " stale" : ""}`, key: "main", "data-version": state.version },
      ["bidding", "asking"].includes(state.phase) && state.palifico && palifico(state),
      h("div", { class: "o-strip", key: "strip" }, h("section", { class: "o-said", key: "said" }, said(state)), seats(state, show)),
    ),
  ];
}

function said(state) {
  const { phase, paused, bid, verdict, winner } = state;
  if (paused) return h("h1", { key: "break" }, say.onBreak);
  if (phase === "over") return h("h1", { key: "over" }, h("bdi", {}, winner ? say.won(winner) : say.ended));
  if (phase === "verdict" && verdict) return [h("h1", { class: verdict.loses ? "bad" : "good", key: "verdict" }, h("bdi", {}, outcome(verdict))), against(verdict)];
  if (phase === "rolling") return h("h1", { key: "rolling" }, say.whoOpens);
  if (phase !== "bidding" && phase !== "asking") return [h("h1", { key: "called" }, say.cupsUp), callLine(state)];
  return [saidLine(state), bid && trail(state, MOST_BIDS)];
}
