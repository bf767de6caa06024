// The table's page.

import { clubOf, demoOf, firstScreen, matchOf, newGame, preloadReveal, provide, withReveal } from "./lazy-views.js";
import { sayNews } from "../speech/lazy-voice.js";
import { createApi } from "../core/api.js";
import { button, h, render } from "../core/dom.js";
import { acts, own, takeCode, withOwnDice, withSeats } from "../core/identity.js";
import { listen } from "../core/event-stream.js";
import { endFirstRound } from "./first-round.js";
import { diceEach, onTheTable, players } from "./players.js";
import { fitSheet, sheetView } from "../menu/sheets.js";
import { announcement, newCorrection, newNotice } from "../speech/announcement.js";
import { OWN, createStore } from "../core/store.js";
import { createToasts } from "../core/toasts.js";
import { callerQuestion, roundLine, stage } from "./stage.js";
import { enter } from "../menu/join.js";
import { breakView } from "../menu/menu.js";
import { pad } from "./pad.js";
import { offline } from "./offline.js";
import { readRoll, rollCard } from "./opening-roll.js";
import { steps } from "./undo.js";
import { language, loadWords, noneKnown, ready, say, textOf } from "../languages/language.js";

const made = (module) => module.ready();
const withRules = (loading) => Promise.all([loading, loadWords("rules-messages")]).then(([module]) => module);
const people = () => import("../menu/people.js").then(made);
provide({
  views: {
    reveal: () => import("../reveal/index.js").then((module) => module.styled.then(() => module)),
    setUp: () => withRules(import("../menu/new-game.js").then(made)),
    club: () => import("../menu/club.js").then(made),
    company: () => import("./match.js").then(made),
    demo: () => import("../demo/demo.js").then(made),
    end: () => import("../past/ending.js").then(made),
    coach: () => import("../lesson/coach.js").then(made),
    welcome: () => import("../menu/welcome.js").then(made),
  },
  sheets: {
    lesson: () => import("../lesson/cards.js").then(made),
    rules: () => withRules(import("../menu/rules.js")),
    past: () => import("../past/past.js").then(made),
    panel: () => import("../demo/panel.js").then(made),
    settings: () => import("../menu/preferences.js"),
    player: people,
    newcomer: people,
    story: () => import("../menu/story.js"),
    who: () => import("../menu/seats.js"),
  },
});

const root = document.getElementById("app");
const store = createStore({ ...OWN, state: null, line: null, lineSaid: "", run: "", choices: null, announced: "" });

const { toast, view: toasts } = createToasts(store);

const JUDGED = ["checking", "telling", "verdict", "over"]; // the phases whose views show the last correction themselves

// A state from the stream or from the answer to a tap, whichever comes first; never an older one than the page shows.
function take(state, fresh = false) {
  const before = store.get().state;
  if (before && !fresh && state.version <= before.version) return;
  const { me, sheet, announced, busy, last } = store.get();
  const ended = before && before.game === state.game && before.phase !== "over" && state.winner && state.verdict && me && acts(me);
  const refused = newNotice(before, state);
  if (refused) toast(refused, "refused");
  const undone = newNotice(before, state, "undone") && busy !== "undo" && busy !== "redo"; // by another phone
  const corrected = newCorrection(before, state);
  if (state.corrections || undone) {
    loadWords("correction-messages").then(() => store.change({}), () => {}).then(() => {
      if (undone) toast(state.undone);
      if (corrected && !JUDGED.includes(state.phase)) toast(corrected);
    });
  }
  sayNews(before, state, me);
  if (before && (before.phase === "bidding") !== (state.phase === "bidding")) window.scrollTo(0, 0); // another screen begins at its top
  store.change({ state, last: ended ? state.game : last, sheet: fitSheet(state, sheet, before), announced: announcement(before, state, { me, last: announced }) });
}

// The state when the finger came down: a tap is meant for that one, even if another has arrived since.
const GESTURE = 1500; // ms from the touch to its effect; call buttons are held
let drawn = 0;
let touched = { version: 0, at: -Infinity };
const touch = (event) => {
  if (!event.repeat) touched = { version: drawn, at: performance.now() };
};
document.addEventListener("pointerdown", touch, true);
document.addEventListener("keydown", touch, true);
document.addEventListener("keydown", (event) => import("./keys.js").then(({ begin }) => begin({ store, post }, event), () => {}), { once: true }); // few phones have keyboards
const seen = () => (performance.now() - touched.at < GESTURE ? touched.version : drawn);

// A tap on a phone that has not joined: once the code is right, it has to be made again.
function stranger() {
  const { sheet } = store.get();
  if (!sheet || sheet.kind !== "join") store.change({ sheet: { kind: "join", back: sheet } });
}

const { post, ask, whoAmI } = createApi({ store, take, toast, seen, stranger });

function seats({ state }, centre = null) {
  const { me } = store.get();
  const tap = (player) => store.change({ sheet: { kind: "player", player } });
  return players(state, own(me), ["bidding", "asking", "reading"].includes(state.phase) ? tap : null, centre);
}

function view(ctx) {
  const { state } = ctx;
  if (state.paused) return breakView(ctx);
  switch (state.phase) {
    case "seating":
      return [h("section", { class: "card welcome", key: "welcome" }, h("h1", {}, say.welcome), newGame(ctx))];
    case "rolling":
      return [rollCard(ctx), seats(ctx), readRoll(ctx)];
    case "bidding":
      return [seats(ctx, stage(ctx)), roundLine(ctx), demoOf(ctx), pad(ctx)];
    case "asking":
      return [seats(ctx, stage(ctx)), callerQuestion(ctx)];
    case "reading":
      return [withReveal(store, ({ readingCard }) => readingCard(ctx)), seats(ctx)];
    case "checking":
      return [withReveal(store, ({ checkCard }) => checkCard(ctx)), seats(ctx)];
    case "telling":
      return withReveal(store, ({ callForm, judgeDock }) => [callForm(ctx), seats(ctx), judgeDock(ctx)]);
    case "verdict":
    case "over":
      return withReveal(store, ({ verdict, nextDock }) => [verdict(ctx), nextDock(ctx)]);
    default: // a phase of a newer program: menu and undo lead out of it
      return [seats(ctx)];
  }
}

// The camera has changed since it was calibrated, or its pictures are poor; the game goes on.
function calibration({ calibration: now }) {
  if (!now || !now.notice) return null;
  return h(
    "section",
    { class: "card askew", key: "askew" },
    h("p", { class: "problem" }, textOf(now.notice)),
    h("div", { class: "row" }, h("a", { class: "plain", href: "/calibrate" }, say.calibrate), button("plain", () => post("calibration/ignore"), {}, say.goOnSo)),
  );
}

// Problems with the box that the page does not show elsewhere: first before a game, which they would spoil, last in it.
function troubles(state, first) {
  const said = [];
  if (!first && state.camera && !state.camera.ok && state.phase !== "reading") said.push(textOf(state.camera));
  if (state.journal && !state.journal.ok) said.push(textOf(state.journal));
  if (state.notice && state.notice.code === "repaired") said.push(textOf(state.notice));
  if (state.panel && state.phase === "seating") said.push(textOf(state.panel));
  return [calibration(state), said.filter(Boolean).map((sentence) => h("p", { class: "problem trouble", key: sentence }, sentence))];
}

// Whether the view has a heading of its own: every page has one of the first level.
const titled = (state) => !state || state.paused || state.phase === "seating" || (state.phase === "over" && store.get().last !== state.game);

const DOCKED = ["rolling", "telling", "verdict", "over"]; // they have a button at the foot, and undo beside it

// Whether lost dice may lie on the table where no camera sees them: a phone's picture shows them before the cups go up.
const diceAside = (state) => (state.camera.phone || !state.camera.ok) && state.players.some(({ dice }) => dice === null || dice < diceEach(state));

// Who this phone is, at the head of the page; a tap changes it.
function seatChip(state) {
  const { me } = store.get();
  if (!me) return null;
  const open = () => store.change({ sheet: { kind: me.joined ? "who" : "join" } });
  const mine = own(me);
  const known = [...state.players, ...(state.company ? state.company.players : [])];
  const { colour = "" } = known.find(({ name }) => name === mine) || {};
  const text = mine || (!me.joined ? say.join : me.role === "table" ? say.isTablet : me.role === "watching" ? say.isWatching : say.noSeat);
  return button(
    `seatchip${me.joined ? "" : " join"}`,
    open,
    { key: "me", "data-role": me.role, "aria-label": mine ? say.youAre(mine) : text },
    mine && h("i", { class: `mini ${colour}` }),
    h("bdi", {}, text),
  );
}

function header(ctx, first) {
  const { state } = ctx;
  const { me } = store.get();
  const playing = Boolean(state) && state.phase !== "seating" && !first;
  const judged = playing && ["verdict", "over"].includes(state.phase); // `round` is the next one already
  const dice = playing ? onTheTable(state) : null;
  const opened = playing && !judged && state.round !== null;
  const aside = state && !first && state.phase === "bidding" && diceAside(state);
  const openMenu = () => store.change({ sheet: { kind: "menu" } });
  return h(
    "header",
    { class: `top${aside ? " beside" : ""}`, key: "top" },
    state && !first && seatChip(state),
    h(titled(state) || first ? "span" : "h1", { class: state ? "hidden" : "brand" }, say.title),
    opened && h("span", { class: "chip round" }, say.round(state.round)),
    playing && !opened && !judged && h("span", { class: "chip" }, say.openingRoll),
    dice !== null && h("span", { class: "chip", title: say.onTableLong }, say.dice(dice)),
    state && state.demo && !first && h("span", { class: "chip demo" }, say.demo),
    aside && withReveal(store, ({ asideButton }) => asideButton(ctx), () => null),
    state && !first && !DOCKED.includes(state.phase) && !state.paused && me && acts(me) && steps(ctx),
    state && me && me.role === "table" && button("icon turnround", () => document.documentElement.classList.toggle("turned"), { key: "turn", "aria-label": say.turnRound, title: say.turnRound }, "⟲"),
    state &&
      button(
        "icon menu",
        openMenu,
        { "aria-label": say.menu, title: say.menu },
        h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: "M4 7H20M4 12H20M4 17H20" })),
      ),
  );
}

let choice = null; // of the language, for a browser whose own the page does not have
const bringChoice = () => import("../languages/choice.js").then((module) => (choice = module.languageChoice) && store.change({}), () => {});

function draw({ state, line, lineSaid, sheet, announced, run }) {
  if (state) {
    drawn = state.version;
    state = withOwnDice(state, store.get().me);
  }
  const ctx = { state, store, post, ask, toast, run };
  const open = state && sheet ? sheetView(ctx) : null;
  const first = state && !state.paused ? firstScreen(ctx) : null; // one way to begin
  render(
    root,
    h("div", { class: "hidden", key: "said", "aria-live": "polite", role: "status" }, announced),
    line === false && state && h("p", { class: "linecut", key: "line", role: "alert" }, lineSaid || say.lineCut),
    header(ctx, Boolean(first)),
    choice && noneKnown() && !(store.get().me || {}).joined && choice(() => store.change({})),
    h(
      "main",
      {
        key: "main",
        class: `${state ? state.phase : "nothing"}${state && state.paused ? " resting" : ""}${line === false ? " stale" : ""}`,
        tabindex: -1,
        "data-version": state ? state.version : null,
      },
      state ? [matchOf(ctx), clubOf(ctx, "card"), ...(state.phase === "seating" ? [troubles(state, first), first || view(ctx)] : first ? [first] : [view(ctx), troubles(state)])] : offline(store, line, lineSaid),
    ),
    open,
    toasts(),
  );
  document.documentElement.classList.toggle("sheet-open", Boolean(open));
}

let asking = false;

// The choices for a new game, when its form is shown.
async function choices({ state, sheet, choices: known }) {
  const shown = (state && ["seating", "over"].includes(state.phase)) || (sheet && sheet.kind === "game");
  if (known || asking || !shown) return;
  asking = true;
  try {
    const answer = await fetch("/api/v1/choices");
    if (answer.ok) store.change({ choices: await answer.json() });
  } catch {
    // The next state asks again; until then the form says that it is looking for the box.
  } finally {
    asking = false;
  }
}

let counted = ""; // for whom, and in which state, the own dice were asked for

// Where numbers of dice are hidden, the box tells each phone its own player's.
function countOwn({ me, state }) {
  const mine = own(me);
  const now = state && `${state.version} ${mine}`;
  if (!now || now === counted || !state.players.some(({ name, dice }) => name === mine && dice === null)) return;
  counted = now;
  whoAmI();
}

let unknown = false; // whether the box was off when it was asked who this phone is

async function joinByAddress() {
  const code = takeCode();
  const me = await whoAmI();
  unknown = !me;
  if (code && !(me && me.joined)) await enter({ store, ask }, code);
}

// The browser's tab says whose turn it is, to the player whose it is.
const tab = document.querySelector("link[rel='icon']");
const ICON = tab.getAttribute("href");
function nameTab({ me, state }) {
  const mine = Boolean(state && own(me) && state.turn === own(me) && !state.paused);
  document.title = mine ? `${say.yourTurn} · ${say.title}` : say.title;
  const icon = mine ? ICON.replace("icon.svg", "icon-turn.svg") : ICON;
  if (tab.getAttribute("href") !== icon) tab.setAttribute("href", icon);
}

let spoken = ""; // the language of the announcement

// What is announced follows a change of language.
function announceAnew({ state, me }) {
  if (!state || spoken === language) return;
  spoken = language;
  store.change({ announced: announcement(null, state, { me }) });
}

function begin() {
  if (noneKnown()) bringChoice();
  store.listen(endFirstRound);
  store.listen(announceAnew);
  store.listen(nameTab);
  store.listen(draw);
  // In the demo robots speak for some of the players.
  store.listen(({ me, state }) => me && state && me.robots !== state.robots && store.change({ me: { ...me, robots: state.robots } }));
  store.listen(choices);
  store.listen(countOwn);
  window.addEventListener("hashchange", joinByAddress);
  joinByAddress();
  let met = false;
  const renew = listen({
    onHello(headers) {
      store.change({ run: headers.get("X-Perudo-Run") || "" });
      preloadReveal(store);
      if (met || unknown) whoAmI(); // the seats may have changed while this phone slept
      met = true;
    },
    onState(state, fresh) {
      const { state: before } = store.get();
      if (before && before.game !== state.game) store.change({ choices: null }); // its house rules may have a name
      take(state, fresh);
    },
    onSeats(taken) {
      const me = withSeats(store.get().me, taken);
      store.change({ me });
      if (me && me.joined && !taken.phones.some(({ phone }) => phone === me.phone)) whoAmI();
    },
    onLine: store.line,
  });

  // The box knows by the stream that a phone is present. The stream opened before joining does not count: open a new one.
  let outside = false;
  store.listen(({ me }) => {
    if (!me) return;
    if (me.joined && outside) renew();
    outside = !me.joined;
  });
}

ready.then(begin); // everything that is said has words now

// The browser keeps the page's shell (see service-worker.js), but only for pages over https or from the same device. On
// plain http, as on most phones, there is nothing to register.
function registerWorker() {
  const { serviceWorker } = navigator;
  // Without this the browser looks for a newer worker only after the old one has been idle for a while.
  const renewed = (registration) => serviceWorker.controller && registration.update();
  serviceWorker.register("/sw.js").then(renewed).catch(() => {
    // Refused, as in some private windows, or the box is off: the page works without it.
  });
}
if ("serviceWorker" in navigator) {
  if (document.readyState === "complete") registerWorker();
  else window.addEventListener("load", registerWorker); // it must not delay the first view of the table
}

// Whoever has gone to the trouble of https wants the screen to stay on (see `box/https.js`).
if (location.protocol === "https:") import("../core/wake-lock.js").then(({ stayAwake }) => stayAwake(), () => {});
