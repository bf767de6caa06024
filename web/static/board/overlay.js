// The table over the picture of a stream: what happens on the left, the players' dice on the right, nothing behind.

import { bidSign } from "../core/dice.js";
import { h } from "../core/dom.js";
import { against, callLine, outcome } from "../reveal/judgement.js";
import { seats } from "./views.js";
import { say } from "../languages/language.js";

/** The whole overlay; empty while there is no table. `show` is the module of the views of a reveal, null until it is loaded. */
export function overlay({ state, line, announced }, show) {
  const status = h("div", { class: "hidden", key: "announced", "aria-live": "polite", role: "status" }, announced);
  if (!state || state.phase === "seating") return [status];
  return [
    status,
    h(
      "main",
      { class: `o-strip ${state.phase}${line === false ? " stale" : ""}`, key: "main", "data-version": state.version },
      h("section", { class: "o-said", key: "said" }, said(state)),
      seats(state, show),
    ),
  ];
}

function said(state) {
  const { phase, paused, bid, turn, verdict, winner, asking, palifico } = state;
  if (paused) return h("h1", { key: "break" }, say.onBreak);
  if (phase === "over") return h("h1", { key: "over" }, h("bdi", {}, winner ? say.won(winner) : say.ended));
  if (phase === "verdict" && verdict) return [h("h1", { class: verdict.loses ? "bad" : "good", key: "verdict" }, h("bdi", {}, outcome(verdict))), against(verdict)];
  if (phase === "rolling") return h("h1", { key: "rolling" }, say.whoOpens);
  if (phase !== "bidding" && phase !== "asking") return [h("h1", { key: "called" }, say.cupsUp), callLine(state)];
  const next = asking ? say.whoDid[asking.call] : bid ? say.turn(turn) : say.opens(turn);
  return [
    bid && h("p", { class: "o-bid", key: `${bid.player} ${bid.count} ${bid.face}` }, h("bdi", {}, bid.player), bidSign(bid)),
    h("h1", { key: "turn" }, h("bdi", {}, next)),
    palifico && h("p", { class: "o-palifico", key: "palifico" }, h("bdi", {}, say.palifico(palifico)), " ", say.palificoMeans),
  ];
}
