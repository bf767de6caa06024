// The verdict: who pays, why, and the picture it was judged by. One look answers the question.

import { bidSign, die } from "./dice.js";
import { button, h } from "./dom.js";
import { crop, dieName, picture } from "./picture.js";
import { shown } from "./players.js";
import { chosen, placing, touch } from "./view-reveal.js";
import { storyButton } from "./view-story.js";
import { dock } from "./view-undo.js";
import { say } from "./words.js";

/** Judged, and on to the next round; or somebody has won. */
export function verdict(ctx) {
  const { state, store, run } = ctx;
  const { verdict: judged, reading } = state;
  const over = state.phase === "over";
  const { sheet } = store.get();
  const colour = (name) => (state.players.find((p) => p.name === name) || {}).colour;
  if (over && !state.winner) return h("section", { class: "card winner ended", key: "winner" }, h("h1", {}, say.ended), storyButton(store));
  const concerned = judged ? judged.loses || judged.gains || judged.caller : null;
  return [
    over && winner(state, store),
    judged &&
      h(
        "section",
        { class: `card verdict ${judged.loses ? "bad" : "good"}`, key: "verdict" },
        h("p", { class: "held" }, (judged.correct ? say.right : say.wrong)[judged.call]),
        h(
          "h2",
          { class: "outcome" },
          h("i", { class: `mini ${colour(concerned)} ${judged.loses ? "goes" : "comes"}` }),
          h("bdi", {}, outcome(judged)),
        ),
        tally(judged, reading, run, store),
        h("p", { class: "sentence" }, judged.sentence),
        judged.palifico && !over && h("p", { class: "rule palifico" }, h("bdi", {}, say.palificoNext(judged.palifico))),
        reading && reading.picture !== undefined
          ? picture(reading, { run, highlight: true, selected: chosen(sheet), place: placing(reading, sheet), ...touch(store) })
          : null,
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

function outcome(judged) {
  if (judged.eliminated) return say.eliminated(judged.eliminated);
  if (judged.loses) return say.loses(judged.loses);
  if (judged.gains) return say.gains(judged.gains);
  return say.nothing(judged.caller);
}

// The bid against what lay there: "5 x four bid, 3 fours + 1 paco = 4", with the dice themselves.
function tally(judged, reading, run, store) {
  const split = judged.wild && judged.bid.face !== 1;
  const counted = reading ? reading.dice.filter((d) => d.counts) : [];
  counted.sort((a, b) => (a.face === 1) - (b.face === 1));
  return h(
    "div",
    { class: "tally" },
    h(
      "div",
      { class: "against" },
      h("div", {}, h("span", { class: "label" }, say.wasBid), bidSign(judged.bid)),
      h(
        "div",
        { class: "is" },
        h("span", { class: "label" }, say.onTheTable),
        h("span", { class: "bidsign" }, h("span", { class: "n" }, judged.count)),
      ),
    ),
    h("p", { class: "sum" }, say.tally(judged.faces, judged.bid.face, judged.pacos, judged.count, split)),
    counted.length > 0 &&
      h(
        "div",
        { class: "crops" },
        counted.map((d, n) =>
          button(
            `cropbutton${d.face === 1 && split ? " paco" : ""} d${Math.min(n, 12)}`,
            () => touch(store).onDie(d),
            { key: d.id, "aria-label": dieName(d) },
            crop(reading, d.box, { run }) || die(d.face, d.colour),
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
