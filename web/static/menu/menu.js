// The menu, for what is seldom done: a break, leaving and coming back, ending the game. And the view during a break.

import { button, h } from "../core/dom.js";
import { clubOf } from "../game/lazy-views.js";
import { drawn, plays } from "../game/players.js";
import { acts, alone } from "../core/identity.js";
import { whoButtons } from "../game/stage.js";
import { say } from "../languages/language.js";

/** Whether players may leave and come back now. */
export const between = (state) => !state.paused && ["bidding", "asking", "verdict"].includes(state.phase);

/** Whether a round is played that has no verdict yet. */
export const inRound = (state) => !state.paused && ["bidding", "asking", "reading", "checking", "telling"].includes(state.phase) && !rolling(state);
const rolling = (state) => Boolean(state.opening && state.opening.rolling.length);

const goesOn = (state) => !["seating", "over"].includes(state.phase);

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
  if (sheet.page === "wrong") return inRound(state) || between(state) ? "wrong" : "";
  return ["ending", "company", "games", "box"].includes(sheet.page) ? sheet.page : "";
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
  if (page === "ending") {
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
  const may = acts(me) || !(me && me.joined) || !goesOn(state); // who has not joined is asked to
  const item = (key, text, tap, cls = "plain") => button(cls, tap, { key, "data-item": key }, text);
  const show = (kind) => () => store.change({ sheet: { kind } });
  const to = (key) => () => open({ page: key });
  const link = (key, text) => h("a", { class: "plain", key, "data-item": key, href: `/${key}` }, text);
  const wrong = [
    may && inRound(state) && item("void", say.voidRound, to("void")),
    may && (inRound(state) || between(state)) && item("dice", say.wrongDice, to("dice")),
  ];
  const company = [
    may && between(state) && [
      state.away.map(({ name, dice }) =>
        button("plain", () => after(post("back", { player: name })), { key: `back-${name}`, "data-item": "back" }, h("bdi", {}, say.back(name, state.open_lost === false ? null : dice))),
      ),
      item("leave", say.leave, to("leave")),
      item("join", say.joins, show("newcomer")),
    ],
    item("others", say.joinOthers, show("others")),
  ];
  const games = [
    item("past", say.pastGames, show("past")),
    may && goesOn(state) && item("game", say.newGame, () => openGame(ctx)),
    may && goesOn(state) && item("end", say.end, to("ending"), "plain danger"),
  ];
  const box = [
    item("settings", say.settings, show("settings")),
    me && me.host && [link("calibrate", say.calibrate), link("box", say.box)],
    state.panel && state.panel.virtual && item("panel", say.panel, show("panel")),
  ];
  const pages = { wrong: [say.isWrong, wrong], company: [say.welcome, company], games: [say.games, games], box: [say.box, box] };
  if (page in pages) return [pages[page][0], paged(page, pages[page][1])];
  // Several choices are one, which opens them.
  const folded = (key) => {
    const [title, within] = pages[key];
    const there = within.flat(2).filter(Boolean);
    return goesOn(state) && there.length > 1 ? item(key, title, to(key)) : there;
  };
  const group = (title, ...items) => {
    const there = items.flat(2).filter(Boolean);
    return there.length > 0 && h("section", { class: "group", key: title }, h("h3", {}, title), there);
  };
  return [
    say.menu,
    paged(
      "",
      group(say.rulesPages.round, may && mayCount(state) && !alone(me, state) && item("count", say.justTalk, show("count")), folded("wrong")),
      group(
        say.evening,
        item("rules", say.rulesTitle, show("rules")),
        may && goesOn(state) && (state.paused ? item("resume", say.resume, () => after(post("resume"))) : item("pause", say.pause, () => after(post("pause")))),
        folded("company"),
        folded("games"),
      ),
      group(say.box, folded("box")),
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
