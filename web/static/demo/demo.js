// What only the demo has: robots in the free seats, a look under the own cup, the virtual panel. Loaded where it is needed.

import { button, h } from "../core/dom.js";
import { lazy, loadStyle } from "../core/lazy.js";
import { acts, alone, isRobot, own } from "../core/identity.js";
import { isFreshDemo } from "../game/lazy-views.js";
import { plays } from "../game/players.js";
import { loadWords, word } from "../languages/language.js";

const ROBOTS = 3;
const STRENGTHS = ["easy", "medium", "hard"];
const NAMES = ["Ana", "Ben", "Cid", "Dora", "Eli", "Fay", "Gus", "Hal"]; // for seats that have no name yet
const COLOURS = ["red", "blue", "green", "yellow", "black", "purple", "orange", "white"];

/** Settles with the views, once their words and their style sheet are there. */
export async function ready() {
  await Promise.all([loadWords("demo"), loadStyle(new URL("demo.css", import.meta.url))]);
  return { card, offer, ownDice, play, robotLine, robotSeat, welcome };
}

const peek = lazy(() => import("./peek.js")); // only who has a seat has dice

/** The offer, while nobody has bid and no robot plays: under the list of seats. */
export const welcome = (ctx) => (isFreshDemo(ctx.state) ? offer(ctx) : null);

/** What is said of a seat that a robot has. */
export const robotSeat = ({ state }, name) => (state.robots && state.robots[name] ? word.demo.instead(word.demo.strengths[state.robots[name]]) : "");

/** Over the pad of a game that has not begun: the offer to play robots. */
export function card(ctx) {
  const { state, store } = ctx;
  return isFreshDemo(state) && acts(store.get().me) ? h("section", { class: "card demoside", key: "demo", "aria-label": word.demo.title }, offer(ctx)) : null;
}

/** The first screen's button: a game against easy robots. */
export const play = (ctx) =>
  button("go strength", () => playRobots(ctx, STRENGTHS[0]), { key: "robots", "data-strength": STRENGTHS[0], disabled: Boolean(ctx.store.get().busy) }, word.demo.play);

/** In the pad: this phone's own dice, openly where everybody else is a robot. */
export function ownDice(ctx) {
  const { state, store } = ctx;
  const mine = own(store.get().me);
  if (!state.demo || !state.players.some((player) => player.name === mine && plays(player))) return null;
  if (isRobot(store.get().me, mine)) return h("p", { class: "owndice", key: "open" }, word.demo.nextRound);
  return peek.use(store, ({ openDice, peekButton }) => (alone(store.get().me, state) ? openDice : peekButton)(ctx, mine), () => null);
}

/** Who thinks, and a tap that saves the wait; after an undo, the tap that lets the robots go on. */
export function robotLine({ state, store, post }) {
  const { robots, turn, redo } = state;
  if (!state.demo || !robots) return null;
  const hurry = (word) => acts(store.get().me) && button("plain hurry", () => post("demo/hurry", {}, { quiet: true }), { key: "hurry" }, word);
  if (redo) return h("div", { class: "robotline", key: "robots" }, h("p", {}, word.demo.waiting), hurry(word.demo.goOn));
  if (!robots[turn]) return null;
  return h("div", { class: "robotline", key: "robots" }, h("p", {}, h("bdi", {}, word.demo.thinks(turn, word.demo.strengths[robots[turn]]))), hurry(word.demo.faster));
}

/** "Play against 3 robots": one tap on how well they play. */
export function offer(ctx) {
  const { store } = ctx;
  const busy = Boolean(store.get().busy);
  return h(
    "div",
    { class: "robotoffer", key: "offer", role: "group", "aria-label": word.demo.against(ROBOTS) },
    h("h2", {}, word.demo.against(ROBOTS)),
    h(
      "div",
      { class: "strengths" },
      STRENGTHS.map((strength) => button("plain strength", () => playRobots(ctx, strength), { key: strength, "data-strength": strength, disabled: busy }, word.demo.strengths[strength])),
    ),
  );
}

// A new game of everybody who has a phone at the table (or this phone's player, who then has one) against the robots. A phone that has not joined joins first.
async function playRobots(ctx, strength) {
  const { store, post, ask } = ctx;
  const { me, state } = store.get();
  if (me && !me.joined) {
    const then = () => isFreshDemo(store.get().state) && playRobots(ctx, strength);
    store.change({ sheet: { kind: "join", then } });
    return;
  }
  const known = new Map((state.company ? state.company.players : state.players).map(({ name, colour }) => [name, colour]));
  const names = [...new Set([...known.keys(), ...NAMES])];
  const seated = names.filter((name) => me && me.seats[name]);
  const mine = own(me) || names.find((name) => !seated.includes(name));
  const people = (seated.includes(mine) ? seated : [mine, ...seated]).slice(0, NAMES.length - ROBOTS);
  const robots = names.filter((name) => !people.includes(name)).slice(0, ROBOTS);
  const colours = new Map();
  for (const name of [...people, ...robots]) {
    const free = (colour) => colour && ![...colours.values()].includes(colour);
    colours.set(name, free(known.get(name)) ? known.get(name) : COLOURS.find((colour) => free(colour) && ![...known.values()].includes(colour)) || COLOURS.find(free));
  }
  const game = {
    players: [...colours].map(([name, colour]) => ({ name, colour })),
    ruleset: state.ruleset,
    calza: state.calza,
    open_lost: true,
    ...(["seating", "over"].includes(state.phase) ? {} : { abandon: true }),
  };
  if (!(await post("game", game))) return;
  if (own(store.get().me) !== mine) await ask("seat", { role: "player", player: mine });
  if (!(await post("demo/robots", { players: Object.fromEntries(robots.map((name) => [name, strength])) }))) return;
  store.change({ form: null, sheet: null });
}
