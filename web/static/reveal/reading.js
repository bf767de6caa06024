// From the call to the verdict: cups up, the live picture, and what the players are asked.

import { die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { callLine, lastCorrection } from "./judgement.js";
import { livePicture } from "../picture/live-picture.js";
import { crop } from "../picture/picture.js";
import { closely, touchPicture } from "../picture/correction.js";
import { alone } from "../core/identity.js";
import { forOpening } from "../game/opening-roll.js";
import { filmCard } from "../picture/film.js";
import { photoButtons, refusedPicture } from "./photo.js";
import { say, textOf } from "../languages/language.js";

const UNDER_WAY = ["moving", "reading", "again"]; // what the box says that it waits for while all goes well

/** Waiting for hands and cups to leave. */
export function readingCard(ctx) {
  const { state, post, store } = ctx;
  const camera = state.camera || {};
  const stopped = Boolean(state.waiting) && state.waiting.code === "given-up"; // the camera has stopped looking
  const calm = alone(store.get().me, state) && camera.ok !== false && !stopped; // the camera reads robots' dice by itself
  return [
    h(
      "section",
      { class: "card reading", key: "reading" },
      callLine(state),
      h("h2", { class: "cupsup" }, forOpening(state) ? say.readingRoll : say.cupsUp),
      refusedPicture(ctx) || livePicture(state, { live: camera.ok !== false && !camera.phone }),
      camera.ok === false && h("p", { class: "problem", key: "nocamera" }, textOf(camera)),
      state.waiting && !(camera.ok === false && state.waiting.code === "camera") && waitingLine(state.waiting, stopped || (camera.phone && state.waiting.code === "camera")),
      stopped && !camera.phone && button("go", () => post("again"), { key: "look" }, say.lookAgain),
      !calm && (works(state) ? h("details", { class: "otherways", key: "otherways" }, h("summary", {}, say.otherWays), otherWays(ctx)) : otherWays(ctx, stopped)),
    ),
  ];
}

// Whether the camera does its work: nobody has to do anything but to keep their hands away.
const works = ({ camera, waiting }) => Boolean(camera) && camera.ok !== false && !camera.phone && (!waiting || UNDER_WAY.includes(waiting.code));

// The ways to a verdict without the camera.
function otherWays(ctx, stopped = false) {
  const { state, post, store } = ctx;
  const camera = state.camera || {};
  return [
    photoButtons(ctx),
    h(
      "div",
      { class: "row" },
      button("plain", () => store.change({ sheet: { kind: "hand" } }), {}, say.byHand),
      !stopped && !camera.phone && button("plain", () => post("again"), {}, say.again),
    ),
  ];
}

// What the box waits for or does, or what is wrong with a phone's picture.
function waitingLine(waiting, idle) {
  if (waiting.code === "photo") return h("p", { class: "problem", key: "fault", role: "alert" }, textOf(waiting));
  return h("p", { class: "waiting", key: "waiting" }, !idle && h("span", { class: "pulse", "aria-hidden": "true" }), h("span", {}, textOf(waiting)));
}

/** The reading does not fit: the players are asked. */
export function checkCard(ctx) {
  const { state, post, store } = ctx;
  const { reading: seen, camera } = state;
  if (!seen) return readingCard(ctx);
  const asked = new Set(seen.problems.filter(({ code }) => code === "uncertain").flatMap(({ dice }) => dice));
  const sentences = seen.problems.filter(({ code }) => code !== "uncertain");
  const unsure = seen.dice.filter((d) => d.uncertain);
  const later = unsure.length - asked.size;
  return [
    h(
      "section",
      { class: "card checking", key: "checking" },
      callLine(state),
      h("h2", {}, say.checkTitle),
      lastCorrection(ctx),
      h(
        "ul",
        { class: "problems", "aria-live": "polite" },
        sentences.map((problem, n) => h("li", { key: `p${n}` }, textOf(problem))),
      ),
      unsure.filter(({ id }) => asked.has(id)).map((d) => question(d, ctx)),
      asked.size > 0 && later > 0 && h("p", { class: "quiet", key: "later" }, say.askedLater(later)),
      closely(ctx),
      filmCard(ctx),
      touchPicture(ctx),
      h("p", { class: "quiet" }, say.checkHint),
      (camera.phone || !camera.ok) && photoButtons(ctx),
      h(
        "div",
        { class: "row" },
        !camera.phone && button("plain", () => post("again"), {}, say.again),
        button("plain", () => store.change({ sheet: { kind: "hand" } }), {}, say.byHand),
      ),
    ),
  ];
}

// A die that could not be read: a close-up, and its three likeliest faces as buttons.
function question(d, { state, post, store, run }) {
  const offered = [...new Set([...d.likeliest.map(([face]) => face), d.face])].slice(0, 3).sort();
  const name = d.player ? say.pair(d.player, "") : "";
  return h(
    "div",
    { class: "question", key: `q${d.id}`, role: "group", "aria-label": `${name}${say.whatIs}` },
    crop(state.reading, d.box, { run, cls: "big" }) || die(d.face, d.colour, { cls: "big" }),
    h(
      "div",
      { class: "answers" },
      h("p", {}, h("bdi", {}, name), say.whatIs),
      h(
        "div",
        { class: "facerow short" },
        offered.map((face) =>
          button("facebutton", () => post(`dice/${d.id}`, { face }), { key: face, "aria-label": say.face(face) }, die(face, d.colour)),
        ),
        button("facebutton other", () => store.change({ sheet: { kind: "die", reading: state.reading.id, id: d.id } }), { "aria-label": say.putRight }, "…"),
      ),
    ),
  );
}
