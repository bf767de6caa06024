// The verdict: who pays, why, and the picture it was judged by. One look answers the question.

import { bidSign, die } from "./dice.js";
import { button, h } from "./dom.js";
import { inTurn, ofMany, tapToSkip } from "./motion.js";
import { counted, crop, dieName } from "./picture.js";
import { initials, shown } from "./players.js";
import { touchable } from "./view-die.js";
import { storyButton } from "./view-story.js";
import { dock } from "./view-undo.js";
import { say, told } from "./words.js";

tapToSkip(".verdict, main > .players", ".dock, header, .sheet, .toast");

/** Judged, and on to the next round; or somebody has won. */
export function verdict(ctx) {
  const { state, store } = ctx;
  const { verdict: judged, reading } = state;
  const over = state.phase === "over";
  if (over && !state.winner) return h("section", { class: "card winner ended", key: "winner" }, h("h1", {}, say.ended), storyButton(store));
  return [
    over && winner(state, store),
    judged &&
      h(
        "section",
        { class: `card verdict ${judged.loses ? "bad" : "good"}`, key: "verdict", mount: ofMany(judged.count) },
        h(
          "div",
          { class: "judgement" },
          h("p", { class: "held" }, (judged.correct ? say.right : say.wrong)[judged.call]),
          dicePaid(state),
          h("h2", { class: "outcome" }, h("bdi", {}, outcome(judged))),
        ),
        against(judged),
        reading && touchable(ctx, { highlight: true }),
        lying(ctx),
        h("p", { class: "sentence" }, told(judged)),
        button("plain why", () => store.change({ sheet: { kind: "rules", page: "verdict" } }), { key: "why", "aria-haspopup": "dialog" }, say.why),
        judged.palifico && !over && h("p", { class: "rule palifico" }, h("bdi", {}, say.palificoNext(judged.palifico))),
        reading && h("p", { class: "quiet" }, reading.picture ? say.fixHint : say.noPicture),
        !reading && h("p", { class: "quiet" }, say.handJudged),
        !reading &&
          h("div", { class: "row" }, button("plain", () => store.change({ sheet: { kind: "hand" } }), {}, say.byHand)),
        shown(state),
      ),
  ];
}

/** The one button that goes on, always in reach of the thumb. */
export function onwards(ctx) {
  const { state, store, post } = ctx;
  const { busy } = store.get();
  const judged = state.verdict;
  return dock(
    ctx,
    state.phase === "over"
      ? h("button", { type: "button", class: "go", on: { click: () => store.change({ sheet: { kind: "game" } }) } }, say.newGame)
      : h(
          "button",
          { type: "button", class: "go next", disabled: Boolean(busy), on: { click: () => post("next") } },
          h("span", {}, say.next),
          judged && judged.opener && h("span", { class: "small" }, h("bdi", {}, say.opensNext(judged.opener))),
        ),
  );
}

/** What becomes of whose dice, in a few words. */
export function outcome(judged) {
  if (judged.eliminated) return say.eliminated(judged.eliminated);
  if (judged.loses) return say.loses(judged.loses);
  if (judged.gains) return say.gains(judged.gains);
  return say.nothing(judged.caller);
}

/** The dice of the player whom the verdict concerns: one goes, or one comes. */
export function dicePaid({ verdict: judged, players }) {
  const name = judged.loses || judged.gains || judged.caller;
  const player = players.find((each) => each.name === name);
  if (!player) return null; // an older verdict, of somebody who has left since
  const bodies = [];
  for (let n = 0; n < player.dice; n += 1) {
    const comes = judged.gains && n === player.dice - 1;
    bodies.push(h("i", { key: n, class: `mini large ${player.colour}${comes ? " comes" : ""}` }));
  }
  if (judged.loses) bodies.push(h("i", { key: "goes", class: `mini large ${player.colour} goes` }));
  return h("p", { class: "paid", role: "img", "aria-label": `${name}: ${say.dice(player.dice)}` }, bodies);
}

/** A number that counts up to `n` while the dice light up; there is only `n` for those who hear the page. */
export function countUp(n) {
  const ticks = [];
  for (let at = 0; at < n; at += 1) ticks.push(h("i", { key: at, class: at ? "tick" : "tick first", "data-n": at, mount: inTurn(at - 1) }));
  return h(
    "span",
    { class: "countup", role: "img", "aria-label": String(n) },
    ticks,
    h("i", { key: `last${n}`, class: "last", "data-n": n, mount: inTurn(n - 1) }),
  );
}

/** "3 fours + 2 pacos = 5". */
export function sum(judged) {
  const split = judged.wild && judged.bid.face !== 1;
  return say.tally(judged.faces, judged.bid.face, judged.pacos, judged.count, split);
}

/** The bid against what lay there. */
export function against(judged) {
  return h(
    "div",
    { class: "against", key: "against" },
    h("div", {}, h("span", { class: "label" }, say.wasBid), bidSign(judged.bid)),
    h("div", { class: "is" }, h("span", { class: "label" }, say.onTheTable), h("span", { class: "bidsign" }, countUp(judged.count))),
  );
}

// How the count comes about, with the dice themselves: each with the initial of whose it is.
function lying({ state, store, run }) {
  const { verdict: judged, reading, players } = state;
  const split = judged.wild && judged.bid.face !== 1;
  const dice = reading ? counted(reading) : [];
  const initial = initials(players.map((player) => player.name));
  return h(
    "div",
    { class: "tally", key: "tally" },
    h("p", { class: "sum" }, sum(judged)),
    dice.length > 0 &&
      h(
        "div",
        { class: "crops" },
        dice.map((d, n) =>
          button(
            `cropbutton${d.face === 1 && split ? " paco" : ""}`,
            () => store.change({ sheet: { kind: "die", id: d.id } }),
            { key: d.id, "aria-label": dieName(d), mount: inTurn(n) },
            crop(reading, d.box, { run }) || die(d.face, d.colour),
            d.player && h("span", { class: "initial", "aria-hidden": "true" }, initial.get(d.player)),
          ),
        ),
      ),
  );
}

function winner(state, store) {
  const player = state.players.find((p) => p.name === state.winner);
  return h(
    "section",
    { class: "card winner", key: "winner" },
    h("div", { class: "trophy", "aria-hidden": "true" }, [1, 6, 1].map((face, n) => die(face, player ? player.colour : "ivory", { key: n }))),
    h("h1", { class: state.verdict ? "" : "alone" }, h("bdi", {}, state.verdict ? say.won(state.winner) : say.wonAlone(state.winner))),
    storyButton(store),
  );
}
