// The page: state in, DOM out.

import { afterCall, soon } from "./after-call.js";
import { aloud } from "./aloud.js";
import { createApi } from "./api.js";
import { button, h, render } from "./dom.js";
import { own, reseated, takeCode } from "./identity.js";
import "./installed.js";
import { listen } from "./live.js";
import { onTheTable, players } from "./players.js";
import { fitting, sheetView } from "./sheets.js";
import { newNotice, spoken } from "./spoken.js";
import { OWN, createStore } from "./store.js";
import { asking, stage } from "./view-bid.js";
import { game } from "./view-game.js";
import { enter } from "./view-join.js";
import { rest } from "./view-menu.js";
import { pad } from "./view-pad.js";
import { nothingYet } from "./view-off.js";
import { panel } from "./view-panel.js";
import { readRoll, rolling } from "./view-roll.js";
import { seatChip } from "./view-seats.js";
import { dock } from "./view-undo.js";
import { ready, say, told } from "./words.js";

const TOAST = 7000; // ms
const root = document.getElementById("app");
const store = createStore({ ...OWN, state: null, line: null, lineSaid: "", run: "", choices: null, spoken: "" });

function toast(text, kind = "") {
  const id = performance.now();
  store.change({ toasts: [...store.get().toasts.filter((t) => t.text !== text), { id, text, kind }].slice(-3) });
  setTimeout(() => dismiss(id), TOAST);
}

function dismiss(id) {
  store.change({ toasts: store.get().toasts.filter((t) => t.id !== id) });
}

// A state from the stream or from the answer to a tap, whichever is first; never an older one than is shown.
function take(state, fresh = false) {
  const before = store.get().state;
  if (before && !fresh && state.version <= before.version) return;
  const { me, sheet, spoken: kept } = store.get();
  const refused = newNotice(before, state);
  if (refused) toast(refused, "refused");
  aloud(before, state, me);
  store.change({ state, sheet: fitting(state, sheet), spoken: spoken(before, state, { me, kept }) });
}

// What was on the screen when the finger came down: a tap is meant for that, whatever has come in since.
const GESTURE = 1500; // ms from the touch to what it does; a call is held
let drawn = 0;
let touched = { version: 0, at: -Infinity };
const touch = (event) => {
  if (!event.repeat) touched = { version: drawn, at: performance.now() };
};
document.addEventListener("pointerdown", touch, true);
document.addEventListener("keydown", touch, true);
document.addEventListener("keydown", () => import("./focus.js").catch(() => {}), { once: true }); // few phones have keys
const seen = () => (performance.now() - touched.at < GESTURE ? touched.version : drawn);

function stranger() {
  const { sheet } = store.get();
  if (!sheet || sheet.kind !== "join") store.change({ sheet: { kind: "join", back: sheet } });
}

const { post, ask, whoAmI } = createApi({ store, take, toast, seen, stranger });

const seated = ({ state }) => players(state, own(store.get().me));

function view(ctx) {
  const { state } = ctx;
  if (state.paused) return rest(ctx);
  switch (state.phase) {
    case "seating":
      return [h("section", { class: "card welcome", key: "welcome" }, h("h1", {}, say.welcome), game(ctx)), dock(ctx)];
    case "rolling":
      return [rolling(ctx), seated(ctx), panel(ctx), readRoll(ctx)];
    case "bidding":
      return [stage(ctx, { talk: true }), seated(ctx), pad(ctx), panel(ctx)];
    case "asking":
      return [asking(ctx), seated(ctx), pad(ctx), panel(ctx), dock(ctx)];
    case "reading":
      return [afterCall(store, ({ reading }) => reading(ctx)), seated(ctx), panel(ctx), dock(ctx)];
    case "checking":
      return [afterCall(store, ({ checking }) => checking(ctx)), seated(ctx), panel(ctx), dock(ctx)];
    case "telling":
      return afterCall(store, ({ telling, judging }) => [telling(ctx), seated(ctx), panel(ctx), judging(ctx)]);
    case "verdict":
    case "over":
      return afterCall(store, ({ verdict, onwards }) => [verdict(ctx), seated(ctx), panel(ctx), onwards(ctx)]);
    default: // a phase of a newer program: menu and undo lead out of it
      return [seated(ctx), panel(ctx), dock(ctx)];
  }
}

// The camera is not as it was when it was calibrated: the game goes on all the same.
function calibration({ calibration: now }) {
  if (!now || !now.notice) return null;
  return h(
    "section",
    { class: "card askew", key: "askew" },
    h("p", { class: "problem" }, told(now.notice)),
    h("div", { class: "row" }, h("a", { class: "plain", href: "/calibrate" }, say.calibrate), button("plain", () => post("calibration/ignore"), {}, say.goOnSo)),
  );
}

// What is wrong with the box itself, wherever it is not said already.
function troubles(state) {
  const said = [];
  if (state.camera && !state.camera.ok && state.phase !== "reading") said.push(told(state.camera));
  if (state.journal && !state.journal.ok) said.push(told(state.journal));
  if (state.panel) said.push(told(state.panel));
  return [calibration(state), said.filter(Boolean).map((sentence) => h("p", { class: "problem trouble", key: sentence }, sentence))];
}

function header(state) {
  const playing = Boolean(state) && state.phase !== "seating";
  const judged = playing && ["verdict", "over"].includes(state.phase); // the state counts the next round already
  const dice = playing ? onTheTable(state) : null;
  const opened = playing && !judged && state.round !== null;
  const openMenu = () => store.change({ sheet: { kind: "menu" } });
  return h(
    "header",
    { class: "top", key: "top" },
    state && seatChip({ state, store }),
    h("span", { class: "brand" }, say.title),
    opened && h("span", { class: "chip" }, say.round(state.round)),
    playing && !opened && !judged && h("span", { class: "chip" }, say.openingRoll),
    dice !== null && h("span", { class: "chip", title: say.onTableLong }, say.dice(dice)),
    state && state.demo && h("span", { class: "chip demo" }, say.demo),
    state &&
      button(
        "icon menu",
        openMenu,
        { "aria-label": say.menu, title: say.menu },
        h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: "M4 7H20M4 12H20M4 17H20" })),
      ),
  );
}

function draw({ state, line, lineSaid, sheet, toasts, spoken: said, run }) {
  const ctx = { state, store, post, ask, toast, run };
  if (state) drawn = state.version;
  const open = state && sheet ? sheetView(ctx) : null;
  render(
    root,
    h("div", { class: "hidden", key: "said", "aria-live": "polite", role: "status" }, said),
    line === false && state && h("p", { class: "linecut", key: "line", role: "alert" }, lineSaid || say.lineCut),
    header(state),
    h(
      "main",
      {
        key: "main",
        class: `${state ? state.phase : "nothing"}${state && state.paused ? " resting" : ""}${line === false ? " stale" : ""}`,
        tabindex: -1,
        "data-version": state ? state.version : null,
      },
      state ? [view(ctx), troubles(state)] : nothingYet(store, line, lineSaid),
    ),
    open,
    h(
      "div",
      { class: "toasts", key: "toasts", role: "alert" },
      toasts.map((t) =>
        button(`toast ${t.kind}`, () => dismiss(t.id), { key: t.id }, t.text),
      ),
    ),
  );
  document.documentElement.classList.toggle("sheet-open", Boolean(open));
}

async function choices() {
  try {
    const answer = await fetch("/api/v1/choices");
    if (answer.ok) store.change({ choices: await answer.json() });
  } catch {
    // Asked for again with the next connection; until then the form says that it looks for the box.
  }
}

// A phone that has joined is asked once who it is, as soon as there is somebody to be.
function wonder({ me, state, sheet, asked }) {
  if (!me || !me.joined || me.role !== null || sheet || !state || state.paused || !state.players.length) return;
  const company = state.players.map((player) => player.name).join("\n");
  if (asked !== company) store.change({ asked: company, sheet: { kind: "who" } });
}

async function joinByAddress() {
  const code = takeCode();
  const me = await whoAmI();
  if (code && !(me && me.joined)) await enter({ store, ask }, code);
}

ready.then(() => {
  const { state, me } = store.get();
  if (state) store.change({ spoken: spoken(null, state, { me }) }); // what came before the words was said in English
  store.listen(draw);
});
store.listen(wonder);
window.addEventListener("hashchange", joinByAddress);
joinByAddress();
let met = false;
const renew = listen({
  onHello(headers) {
    store.change({ run: headers.get("X-Perudo-Run") || "" });
    if (!store.get().choices) choices();
    soon(store);
    if (met) whoAmI(); // a seat may have been handed over while this phone slept
    met = true;
  },
  onState(state, fresh) {
    take(state, fresh);
  },
  onSeats(seats) {
    const me = reseated(store.get().me, seats);
    store.change({ me });
    if (me && me.joined && !seats.phones.some(({ phone }) => phone === me.phone)) whoAmI();
  },
  onLine: store.line,
});

// The box knows by its stream that a phone is there: the one it opened before it joined was a stranger's.
let outside = false;
store.listen(({ me }) => {
  if (!me) return;
  if (me.joined && outside) renew();
  outside = !me.joined;
});
