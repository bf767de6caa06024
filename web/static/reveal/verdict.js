// The verdict: who pays, why, and what everybody had. The judged picture is behind a link.

import { button, h } from "../core/dom.js";
import { own } from "../core/identity.js";
import { faceRows } from "./face-rows.js";
import { against, concerned, dicePaid, lastCorrection, outcome, sum, trophy, uncertain } from "./judgement.js";
import { ofMany, tapToSkip } from "./motion.js";
import { filmCard } from "../picture/film.js";
import { asks, closely, touchPicture } from "../picture/correction.js";
import { coachOf, endOf, rematchOf } from "../game/lazy-views.js";
import { openGame } from "../menu/menu.js";
import { storyButton } from "../menu/story.js";
import { dock } from "../game/undo.js";
import { say, textOf } from "../languages/language.js";

tapToSkip(".verdict", "button:not(.face), a, header, .dock, .sheet, .toast"); // a face does not say what a tap on it does

const ROOMY = matchMedia("(min-width: 760px) and (min-height: 600px)"); // a screen that has room for the picture beside the verdict

const proves = ({ reading }) => Boolean(reading && reading.picture);

// Whether the winner is shown: not yet while a phone that saw the game end looks at its last verdict.
const isOver = ({ state, store }) => state.phase === "over" && store.get().last !== state.game;

/** The verdict, or the winner. */
export function verdict(ctx) {
  const { state, store } = ctx;
  ROOMY.onchange = () => store.change({});
  const { verdict: judged } = state;
  const over = isOver(ctx);
  const mine = own(store.get().me);
  const me = judged && mine === concerned(judged) && state.players.find(({ name }) => name === mine);
  if (over && !state.winner) return h("section", { class: "card winner ended", key: "winner" }, h("h1", {}, say.ended), storyButton(store));
  return [
    over && winner(ctx, mine),
    judged && card(ctx, over, me),
    judged && !over && ROOMY.matches && proves(state) && h("section", { class: "card proof", key: "proof" }, filmCard(ctx), touchPicture(ctx, { highlight: true })),
    over && h("section", { class: "card keepsake", key: "keepsake" }, storyButton(store), endOf(ctx)),
  ];
}

// Under the winner's name the last verdict is folded.
function card(ctx, over, me) {
  const { state, store } = ctx;
  const { verdict: judged } = state;
  const mine = own(store.get().me);
  const turn = `${concerned(judged)} ${judged.correct}`; // a verdict that a correction turns is played again
  const judgement = [
    h("p", { class: "held" }, h("bdi", {}, say.calls(judged.caller, judged.call)), ". ", (judged.correct ? say.right : say.wrong)[judged.call]),
    dicePaid(state),
    h("h2", { class: `outcome${me ? ` mine ${me.colour}` : ""}` }, h("bdi", {}, outcome(judged, mine))),
  ];
  return h(
    over ? "details" : "section",
    { class: `card verdict ${judged.loses ? "bad" : "good"}${proves(state) ? "" : " unproved"}`, key: "verdict", mount: ofMany(judged.count, "--beat", 650) },
    h(over ? "summary" : "div", { class: "judgement", key: turn, "data-said": say.calls(judged.caller, judged.call) }, judgement),
    judged.palifico && !over && h("p", { class: "rule palifico", key: "palifico" }, judged.palifico === mine ? say.youPalifico : h("bdi", {}, say.palificoNext(judged.palifico))),
    h("div", { class: "counted", key: `counted ${turn}` }, against(judged), h("p", { class: "sum" }, uncertain(judged) ? say.whatever(uncertain(judged)) : coachOf(ctx, "verdict") || sum(judged))),
    h("p", { class: "hidden sentence", key: "sentence" }, textOf(judged)),
    lastCorrection(ctx),
    faceRows(ctx, { onDie: asks(ctx) }),
    !state.reading && h("p", { class: "quiet", key: "hand" }, say.handJudged),
    links(ctx),
    more(ctx),
  );
}

// What is unfolded under this verdict: "picture", "wrong" or nothing.
const judgedNow = ({ game, round, reading }) => `${game}/${round}/${reading ? reading.id : ""}`;
const unfolded = ({ state, store }) => {
  const { fold } = store.get();
  return fold && fold.verdict === judgedNow(state) ? fold.part : "";
};

function links(ctx) {
  const { state, store } = ctx;
  const now = unfolded(ctx);
  const toggle = (part) => ({ currentTarget }) => {
    store.change({ fold: { verdict: judgedNow(state), part: now === part ? "" : part } });
    const shown = () => now !== part && currentTarget.parentNode.scrollIntoView({ block: "start" }); // else it begins below the screen
    requestAnimationFrame(() => requestAnimationFrame(shown)); // once it is drawn
  };
  const fold = (part, word) => button(`link to-${part}`, toggle(part), { key: part, "aria-expanded": String(now === part) }, word);
  return h(
    "div",
    { class: "links", key: "links" },
    button("link why", () => store.change({ sheet: { kind: "rules", page: "verdict" } }), { key: "why", "aria-haspopup": "dialog" }, say.why),
    proves(state) && (isOver(ctx) || !ROOMY.matches) && fold("picture", say.picture),
    fold("wrong", say.isWrong),
  );
}

function more(ctx) {
  const { state, store } = ctx;
  const { reading } = state;
  const part = unfolded(ctx);
  const byHand = () => button("plain", () => store.change({ sheet: { kind: "hand" } }), {}, say.byHand);
  if (part === "wrong") return [reading && h("p", { class: "quiet", key: "fix" }, say.fixHint), h("div", { class: "row", key: "byhand" }, byHand())];
  return part === "picture" && (isOver(ctx) || !ROOMY.matches) && [closely(ctx, { highlight: true }), filmCard(ctx), touchPicture(ctx, { highlight: true })];
}

/** The button that goes on, always in reach of the thumb. */
export function nextDock(ctx) {
  const { state, store, post } = ctx;
  const { busy } = store.get();
  const judged = state.verdict;
  if (state.phase === "over" && !isOver(ctx)) return dock(ctx, button("go whowon", () => showWinner(store), { key: "whowon" }, say.whoWon));
  return dock(
    ctx,
    state.phase === "over"
      ? [
          button("go rematch", rematchOf(ctx), { key: "rematch", disabled: Boolean(busy) || !rematchOf(ctx) || !store.get().choices }, say.rematch),
          button("link othergame", () => openGame(ctx), { key: "other" }, say.newGame),
        ]
      : h(
          "button",
          { type: "button", class: "go next", disabled: Boolean(busy), on: { click: () => post("next") } },
          h("span", {}, say.next),
          judged && judged.opener && h("span", { class: "small" }, h("bdi", {}, say.opensNext(judged.opener))),
        ),
  );
}

function showWinner(store) {
  store.change({ last: null });
  window.scrollTo(0, 0);
}

function winner(ctx, mine) {
  const { state } = ctx;
  const won = state.winner === mine ? say.youWon : say.won(state.winner);
  return h(
    "section",
    { class: "card winner", key: "winner" },
    trophy(state),
    h("h1", { class: state.verdict ? "" : "alone" }, h("bdi", {}, state.verdict ? won : say.wonAlone(state.winner))),
    endOf(ctx, "places"),
  );
}
