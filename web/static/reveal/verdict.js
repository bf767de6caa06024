// The verdict: who pays, why, and the judged picture.

import { button, h } from "../core/dom.js";
import { own } from "../core/identity.js";
import { against, concerned, dicePaid, faceRows, gathered, outcome, sum, trophy } from "./judgement.js";
import { ofMany, tapToSkip } from "./motion.js";
import { filmCard } from "../picture/film.js";
import { asks, closely, touchPicture } from "../picture/correction.js";
import { endOf } from "../game/lazy-views.js";
import { openGame } from "../menu/menu.js";
import { storyButton } from "../menu/story.js";
import { dock } from "../game/undo.js";
import { say, textOf } from "../languages/language.js";

tapToSkip(".verdict, main > .players", "button:not(.face), a, header, .dock, .sheet, .toast"); // a face does not say what a tap on it does

/** The verdict, or the winner. */
export function verdict(ctx) {
  const { state, store } = ctx;
  const { verdict: judged, reading } = state;
  const over = state.phase === "over";
  const mine = own(store.get().me);
  const me = judged && mine === concerned(judged) && state.players.find(({ name }) => name === mine);
  if (over && !state.winner) return h("section", { class: "card winner ended", key: "winner" }, h("h1", {}, say.ended), storyButton(store));
  return [
    over && winner(ctx, mine),
    judged &&
      h(
        "section",
        { class: `card verdict ${judged.loses ? "bad" : "good"}`, key: "verdict", mount: ofMany(judged.count, "--beat", 650) },
        h(
          "div",
          { class: "judgement" },
          h("p", { class: "held" }, (judged.correct ? say.right : say.wrong)[judged.call]),
          dicePaid(state),
          h("h2", { class: `outcome${me ? ` mine ${me.colour}` : ""}` }, h("bdi", {}, outcome(judged, mine))),
        ),
        judged.palifico && !over && h("p", { class: "rule palifico", key: "palifico" }, judged.palifico === mine ? say.youPalifico : h("bdi", {}, say.palificoNext(judged.palifico))),
        against(judged),
        h("div", { class: "tally", key: "tally" }, gathered(state), h("p", { class: "sum" }, sum(judged))),
        faceRows(state, { onDie: asks(ctx) }),
        h("p", { class: "sentence" }, textOf(judged)),
        closely(ctx, { highlight: true }),
        reading && filmCard(ctx),
        reading && touchPicture(ctx, { highlight: true }),
        reading && h("p", { class: "quiet" }, reading.picture ? say.fixHint : say.noPicture),
        button("plain why", () => store.change({ sheet: { kind: "rules", page: "verdict" } }), { key: "why", "aria-haspopup": "dialog" }, say.why),
        !reading && h("p", { class: "quiet" }, say.handJudged),
        !reading &&
          h("div", { class: "row" }, button("plain", () => store.change({ sheet: { kind: "hand" } }), {}, say.byHand)),
      ),
    over && h("section", { class: "card keepsake", key: "keepsake" }, endOf(ctx)),
  ];
}

/** The button that goes on, always in reach of the thumb. */
export function nextDock(ctx) {
  const { state, store, post } = ctx;
  const { busy } = store.get();
  const judged = state.verdict;
  return dock(
    ctx,
    state.phase === "over"
      ? h("button", { type: "button", class: "go", on: { click: () => openGame(ctx) } }, say.newGame)
      : h(
          "button",
          { type: "button", class: "go next", disabled: Boolean(busy), on: { click: () => post("next") } },
          h("span", {}, say.next),
          judged && judged.opener && h("span", { class: "small" }, h("bdi", {}, say.opensNext(judged.opener))),
        ),
  );
}

function winner(ctx, mine) {
  const { state, store } = ctx;
  const won = state.winner === mine ? say.youWon : say.won(state.winner);
  return h(
    "section",
    { class: "card winner", key: "winner" },
    trophy(state),
    h("h1", { class: state.verdict ? "" : "alone" }, h("bdi", {}, state.verdict ? won : say.wonAlone(state.winner))),
    storyButton(store),
  );
}
