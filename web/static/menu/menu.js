// The menu, for what is seldom done: a break, leaving and coming back, ending the game. And the view during a break.

import { button, h } from "../core/dom.js";
import { clubOf } from "../game/lazy-views.js";
import { drawn, plays } from "../game/players.js";
import { alone, own, speaksFor } from "../core/identity.js";
import { whoButtons } from "../game/stage.js";
import { say } from "../languages/language.js";

/** Whether players may leave and come back now. */
export const between = (state) => !state.paused && ["bidding", "asking", "verdict"].includes(state.phase);

/** Whether a round is played that has no verdict yet. */
export const inRound = (state) => !state.paused && ["bidding", "asking", "reading", "checking", "telling"].includes(state.phase) && !rolling(state);
const rolling = (state) => Boolean(state.opening && state.opening.rolling.length);

const goesOn = (state) => !["seating", "over"].includes(state.phase);

// Players without a phone for whom this phone may say calza; its own calza is on the pad, as is every one on a tablet.
const forOthers = (state, me) => (state.phase === "bidding" && own(me) ? state.may.calza.filter((name) => name !== own(me) && speaksFor(me, name)) : []);

/** Whether the dice may be counted now, and the call given afterwards. */
export const mayCount = (state) => !state.paused && ["bidding", "asking"].includes(state.phase);

const playing = (state) => state.players.filter(plays).map((player) => player.name);

/** Open the form of a new game: of those who are drawn to play here next, or of the players of last time. */
export function openGame({ state, store }) {
  const assigned = drawn(state);
  store.change({ sheet: { kind: "game", players: assigned && assigned.players }, form: null });
}

/** The menu's page: "" is the first one, also if this state does not have the chosen one. */
export function menuPage(state, sheet) {
  if (sheet.page === "leave") return between(state) ? "leave" : "";
  if (sheet.page === "leaving") return between(state) && playing(state).includes(sheet.player) ? "leaving" : "";
  if (sheet.page === "dice") return inRound(state) || between(state) ? "dice" : "";
  if (sheet.page === "void") return inRound(state) ? "void" : "";
  return sheet.page === "end" ? "end" : "";
}

/** The menu's title and content. */
export function menu(ctx, sheet, close, after) {
  const { state, store, post } = ctx;
  const { me } = store.get();
  const open = (more) => store.change({ sheet: { kind: "menu", ...more } });
  const page = menuPage(state, sheet);
  if (page === "leave") {
    return [say.whoLeaves, paged(page, whoButtons(state, playing(state), (player) => open({ page: "leaving", player })))];
  }
  if (page === "dice") {
    const here = state.players.map((player) => player.name).filter((name) => !state.away.some((gone) => gone.name === name)); // some may be out wrongly
    return [say.whoseDice, paged(page, whoButtons(state, here, (player) => store.change({ sheet: { kind: "player", player, page: "dice" } })))];
  }
  if (page === "leaving") {
    const { player } = sheet;
    const leave = (concede) => () => after(post("leave", { player, concede }));
    return [
      say.leaves(player),
      paged(
        page,
        h("p", { class: "quiet" }, say.leavesHint),
        button("plain", leave(false), {}, say.mayReturn),
        button("plain danger", leave(true), {}, say.concede),
      ),
    ];
  }
  if (page === "end") {
    return [
      say.endAsk,
      paged(
        page,
        h("p", { class: "quiet" }, say.endHint),
        button("go danger", () => after(post("end")), {}, say.end),
        button("plain", close, {}, say.keep),
      ),
    ];
  }
  if (page === "void") {
    return [
      say.voidAsk,
      paged(
        page,
        h("p", { class: "quiet" }, say.voidHint),
        button("go", () => after(post("void")), {}, say.voidRound),
        button("plain", close, {}, say.keep),
      ),
    ];
  }
  const openLost = state.open_lost !== false;
  return [
    say.menu,
    paged(
      "",
      h(
        "div",
        { class: "row", key: "seldom" },
        button("plain", () => store.change({ sheet: { kind: "rules" } }), { key: "rules", "data-item": "rules" }, say.rulesTitle),
        button("plain", () => store.change({ sheet: { kind: "settings" } }), { key: "settings", "data-item": "settings" }, say.settings),
      ),
      button("plain", () => store.change({ sheet: { kind: "past" } }), { key: "past", "data-item": "past" }, say.pastGames),
      goesOn(state) &&
        (state.paused
          ? button("plain", () => after(post("resume")), { key: "resume", "data-item": "resume" }, say.resume)
          : button("plain", () => after(post("pause")), { key: "pause", "data-item": "pause" }, say.pause)),
      state.panel && state.panel.virtual && button("plain", () => store.change({ sheet: { kind: "panel" } }), { key: "panel", "data-item": "panel" }, say.panel),
      mayCount(state) && !alone(me, state) && button("plain", () => store.change({ sheet: { kind: "count" } }), { key: "count", "data-item": "count" }, say.justTalk),
      forOthers(state, me).length > 0 &&
        button("plain", () => store.change({ sheet: { kind: "calza" } }), { key: "calza", "data-item": "calza" }, say.calzaForOthers),
      between(state) &&
        state.away.map(({ name, dice }) =>
          button(
            "plain",
            () => after(post("back", { player: name })),
            { key: `back-${name}`, "data-item": "back" },
            h("bdi", {}, say.back(name, openLost ? dice : null)),
          ),
        ),
      inRound(state) && button("plain", () => open({ page: "void" }), { key: "void", "data-item": "void" }, say.voidRound),
      between(state) &&
        h(
          "div",
          { class: "row", key: "company" },
          button("plain", () => open({ page: "leave" }), { key: "leave", "data-item": "leave" }, say.leave),
          button("plain", () => store.change({ sheet: { kind: "newcomer" } }), { key: "join", "data-item": "join" }, say.joins),
        ),
      (inRound(state) || between(state)) && button("plain", () => open({ page: "dice" }), { key: "dice", "data-item": "dice" }, say.wrongDice),
      goesOn(state) && button("plain", () => openGame(ctx), { key: "game", "data-item": "game" }, say.newGame),
      goesOn(state) && button("plain danger", () => open({ page: "end" }), { key: "end", "data-item": "end" }, say.end),
      me &&
        button(
          "plain",
          () => store.change({ sheet: { kind: me.joined ? "who" : "join" } }),
          { key: "who", "data-item": "who" },
          me.joined ? say.whoSits : say.joinTable,
        ),
      button("plain", () => store.change({ sheet: { kind: "others" } }), { key: "others", "data-item": "others" }, say.joinOthers),
      h(
        "div",
        { class: "row", key: "upkeep" },
        h("a", { class: "plain", key: "calibrate", "data-item": "calibrate", href: "/calibrate" }, say.calibrate),
        h("a", { class: "plain", key: "box", "data-item": "box", href: "/box" }, say.box),
      ),
      state.learn && h("p", { class: "quiet", key: "learns", "data-item": "learns" }, say.learns),
      clubOf(ctx, "line"),
    ),
  ];
}

// Another page of the sheet gets the focus.
const paged = (page, ...content) =>
  h(
    "div",
    {
      class: "asked menu",
      key: `page-${page}`,
      mount: (element) => requestAnimationFrame(() => element.isConnected && element.closest(".sheet").focus({ preventScroll: true })),
    },
    content,
  );

/** Count now, and give the call afterwards: for tables that only talk. It takes two taps, in case of a slip. */
export function countQuestion({ state, post }, after) {
  const count = (call) => () => after(post("count", { call }));
  return h(
    "div",
    { class: "asked" },
    h("p", {}, say.justTalkHint),
    h(
      "div",
      { class: "callrow" },
      button("call dudo", count("dudo"), {}, say.dudo),
      state.calza && button("call calza", count("calza"), {}, say.calza),
    ),
  );
}

/** The view during a break. It has no undo: the last step is the break itself, which "Go on" ends. */
export function breakView({ store, post }) {
  return h(
    "section",
    { class: "rest", key: "rest" },
    h("h1", {}, say.onBreak),
    h("p", { class: "quiet" }, say.breakHint),
    button("go", () => post("resume"), { disabled: Boolean(store.get().busy) }, say.resume),
  );
}
