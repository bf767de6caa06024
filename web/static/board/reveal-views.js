// The board from the call to the verdict. Loaded soon after the board itself.

import { loadStyle } from "../core/lazy.js";
import { h } from "../core/dom.js";
import { alone, long } from "./views.js";
import { against, callLine, concerned, outcome, shownDice, trophy, uncertain } from "../reveal/judgement.js";
import { filmOnce } from "../picture/film.js";
import { forOpening } from "../game/opening-roll.js";
import { livePicture, styled as live } from "../picture/live-picture.js";
import { ofMany } from "../reveal/motion.js";
import { tally } from "../reveal/call.js";
import { picture } from "../picture/picture.js";
import { largest, tiles } from "../picture/player-tiles.js";
import { say, textOf } from "../languages/language.js";
import { die } from "../core/dice.js";

/** Settles once the style sheets of these views apply. */
export const styled = Promise.all([live, loadStyle(new URL("../reveal/show.css", import.meta.url))]);

const VIEWS = { reading, checking, telling, verdict, over };

const PICTURE_FIRST = 12000; // ms that the judged picture of the last die is shown before the card of the game

let followed = false; // whether this board has shown the game before its end
let end = null; // the view of the card, once it is time for it
let awaited = 0;

/** What happens, in one of these phases. `redraw()` draws the board again. */
export function stage(state, run, redraw) {
  if (state.phase !== "over") {
    followed = true;
    end = null;
    clearTimeout(awaited);
    awaited = 0;
  } else if (state.winner && !awaited) awaited = setTimeout(() => bringCard(redraw), followed ? PICTURE_FIRST : 0);
  return VIEWS[state.phase](state, run, redraw);
}

const bringCard = (redraw) =>
  import("./game-card.js").then((module) => module.ready().then(() => {
    end = module;
    redraw();
  })).catch(() => {}); // the board shows the winner and the picture without it

/** A player's open dice, once every die is read and assigned to a player; the matching ones first. */
export function openDice(state, name) {
  const judged = state.phase === "telling" ? null : state.verdict;
  if (state.phase !== "telling" && !(judged && ["verdict", "over"].includes(state.phase))) return [];
  const row = shownDice(state).find(({ player }) => player.name === name);
  return row ? row.dice.map(({ id, face, counts, uncertain: doubted, corrected }, n) =>
    die(face, row.player.colour, { key: id === null ? n : id, cls: `${doubted ? "doubted" : !judged ? "" : counts ? "matches" : "dim"}${corrected ? " corrected" : ""}` })) : [];
}

function reading(state) {
  const { camera, waiting } = state;
  const stopped = Boolean(waiting) && waiting.code === "given-up";
  return [
    callLine(state, "b-called"),
    h("h1", { class: "b-title", key: "title" }, forOpening(state) ? say.readingRoll : say.cupsUp),
    camera.ok === false && h("p", { class: "b-trouble", key: "nocamera" }, textOf(camera)),
    h("div", { class: "b-picture", key: "live" }, livePicture(state, { live: camera.ok !== false && !camera.phone })),
    waiting && h("p", { class: "b-waiting", key: "waiting" }, !stopped && h("span", { class: "pulse", "aria-hidden": "true" }), h("span", {}, textOf(waiting))),
  ];
}

const WIDE = 1.6; // the width of the room for the picture on a television, divided by its height

function checking(state, run) {
  const problems = state.reading ? state.reading.problems : [];
  return [
    h("h1", { class: "b-title", key: "title" }, say.checkTitle),
    h("ul", { class: "b-problems", key: "problems" }, problems.slice(0, 3).map((problem, n) => h("li", { key: n }, textOf(problem)))),
    state.reading && h("div", { class: "b-picture", key: `picture-${state.reading.id}` }, tiles(state, { run, alone: true, across: largest(WIDE) }), filmOnce(state.reading, run)),
    h("p", { class: "b-quiet", key: "hint" }, say.anyPhone),
  ];
}

function telling(state) {
  return [
    h("h1", { class: "b-title", key: "title" }, say.tellTitle),
    h("div", { class: "b-tally", key: "tally" }, tally(state)),
    h("p", { class: "b-quiet", key: "hint" }, say.aPhoneTells),
  ];
}

function verdict(state, run) {
  const { verdict: judged, reading } = state;
  return h(
    "div",
    { class: `verdict b-verdict ${judged.loses ? "bad" : "good"}${reading && reading.picture ? " proved" : ""}`, key: `verdict ${concerned(judged)} ${judged.correct}`, mount: ofMany(judged.count, "--beat", 650) },
    h("p", { class: "b-called" }, h("bdi", {}, say.calls(judged.caller, judged.call))),
    against(judged),
    uncertain(judged) > 0 && h("p", { class: "b-quiet", key: "uncertain" }, say.whatever(uncertain(judged))),
    reading && reading.picture && h("div", { class: "b-picture", key: `proof-${reading.id}` }, picture(reading, { run, names: state.players.map(({ name }) => name), highlight: true })),
    h("p", { class: "held" }, (judged.correct ? say.right : say.wrong)[judged.call]),
    h("h1", { class: `outcome b-outcome${long(outcome(judged))}` }, h("bdi", {}, outcome(judged))),
    judged.opener && h("p", { class: "b-opens", key: "opens" }, h("bdi", {}, say.opensNext(judged.opener))),
    reading && filmOnce(reading, run),
  );
}

function over(state, run, redraw) {
  const { winner, verdict: judged } = state;
  if (!winner) return alone(say.ended, "");
  const won = judged ? say.won(winner) : say.wonAlone(winner);
  const card = end && end.card(state, redraw);
  return [
    h(
      "div",
      { class: `b-winner${card ? " told" : ""}`, key: "winner" },
      trophy(state),
      h("h1", { class: `b-huge${long(won)}` }, h("bdi", {}, won)),
    ),
    card,
    judged && !card && against(judged),
    judged && !card && state.reading && filmOnce(state.reading, run),
  ];
}
