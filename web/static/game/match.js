// What a game may have over the rules: a series that it belongs to, and a clock for each turn. On the page and the board.

import { h } from "../core/dom.js";
import { loadStyle } from "../core/lazy.js";
import { loadWords, word } from "../languages/language.js";

const TICK = 250; // ms between two looks at the clock

/** Settles with the view, once its words and its style sheet are there. */
export async function ready() {
  await Promise.all([loadWords("past"), loadStyle(new URL("match.css", import.meta.url))]);
  return { match };
}

/** The score of the series and the clock of the turn; null in a game with neither. */
export function match(state) {
  const clock = state.turn_seconds > 0 && state.phase === "bidding" && state.turn && !state.paused;
  if (!state.series && !clock) return null;
  return h("section", { class: "match", key: "match" }, state.series && score(state.series), clock && turnClock(state));
}

function score({ first_to: first, wins, winner }) {
  return h(
    "div",
    { class: "score", key: "score" },
    h("span", { class: "quiet" }, winner ? h("bdi", {}, word.past.seriesWon(winner)) : word.past.firstTo(first)),
    h("ul", {}, Object.entries(wins).map(([name, games]) => h("li", { key: name, class: name === winner ? "first" : "" }, h("bdi", { class: "scorer" }, name), " ", h("strong", {}, games)))),
  );
}

// The clock

let turn = ""; // the one that `until` belongs to
let until = null; // when its time is up, in ms of performance.now(); null while the box has not said so

async function ask(seconds, mine) {
  let left = seconds;
  try {
    const answer = await fetch("/api/v1/turn", { cache: "no-store" });
    if (answer.ok) ({ left } = await answer.json());
  } catch {
    // The box does not answer, which the page says elsewhere.
  }
  if (mine === turn) until = performance.now() + left * 1000;
}

function turnClock({ game, round, turn: player, bid, turn_seconds: seconds }) {
  const now = JSON.stringify([game, round, player, bid && [bid.player, bid.count, bid.face]]);
  if (turn !== now) {
    turn = now;
    until = null;
    ask(seconds, now);
  }
  // It ticks by itself: no other part of the page is drawn again for it.
  return h("div", { class: "turnclock", key: `clock-${seconds}`, mount: (element) => start(element, seconds), unmount: (element) => clearInterval(element._ticks) }, [
    h("progress", { max: seconds, "aria-label": word.past.turnClock }),
    h("span", { class: "left", "aria-hidden": "true" }),
    h("span", { class: "timeup", role: "status" }, word.past.timeUp),
  ]);
}

function start(element, seconds) {
  const tick = () => {
    const left = until === null ? seconds : Math.max(0, (until - performance.now()) / 1000);
    element.querySelector("progress").value = left;
    element.querySelector(".left").dataset.left = String(Math.ceil(left));
    element.dataset.up = String(left === 0);
  };
  element._ticks = setInterval(tick, TICK);
  tick();
}
