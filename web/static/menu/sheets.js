// The sheets that open over the page: correcting a die, counting by hand, a new game, who says calza, the menu.

import { newGame, withReveal } from "../game/lazy-views.js";
import { dialog } from "../core/dialog.js";
import { speaksFor } from "../core/identity.js";
import { isLazySheet, lazySheet } from "../game/lazy-views.js";
import { whoButtons } from "../game/stage.js";
import { joinSheet, inviteSheet } from "./join.js";
import { countQuestion, mayCount, menu } from "./menu.js";
import { undoQuestion } from "../game/undo.js";
import { say, textOf } from "../languages/language.js";

const REVEALED = ["rolling", "reading", "checking", "telling", "verdict", "over"];
const READ = ["checking", "telling", "verdict", "over"];
const ALWAYS = ["game", "menu", "join", "who", "others"];
const IN_A_GAME = ["player", "newcomer"];
const IN_A_BREAK = ["game", "menu", "join", "who", "others", "rules", "lesson", "settings"];

const judged = ({ phase }) => phase === "verdict" || phase === "over";
const sameCount = (before, state) => judged(before) === judged(state) && before.round === state.round;
const sameBid = ({ bid: before }, { bid }) => !before === !bid && (!bid || (before.player === bid.player && before.count === bid.count && before.face === bid.face));

/** The sheet if it fits this state, which follows `before`, else null: a sheet closes with what it was opened for. */
export function fitSheet(state, sheet, before) {
  if (!sheet) return null;
  if (sheet.kind === "player" && !state.players.some(({ name }) => name === sheet.player)) return null;
  if (IN_A_GAME.includes(sheet.kind) && ["seating", "over"].includes(state.phase)) return null;
  if (isLazySheet(sheet.kind)) return sheet;
  if (ALWAYS.includes(sheet.kind)) return sheet;
  if (sheet.kind === "count") return mayCount(state) ? sheet : null;
  if (sheet.kind === "undo") return state.undo && state.undo.step === sheet.step ? sheet : null;
  if (sheet.kind === "hand") return REVEALED.includes(state.phase) && sameCount(before || state, state) ? sheet : null;
  if (sheet.kind === "calza") return state.phase === "bidding" && state.may.calza.length && sameBid(before || state, state) ? sheet : null;
  // A die, or its place, belongs to one reading: in another the same number is another die.
  if (!READ.includes(state.phase) || !state.reading || state.reading.id !== sheet.reading) return null;
  return sheet.kind === "place" || state.reading.dice.some((d) => d.id === sheet.id) ? sheet : null;
}

/** The open sheet. */
export function sheetView(ctx) {
  const { store } = ctx;
  const { sheet } = store.get();
  if (!sheet || sheet.kind === "place") return null; // drawn beside the picture
  if (ctx.state.paused && !IN_A_BREAK.includes(sheet.kind)) return null; // drafts wait for the end of the break
  const close = () => store.change({ sheet: (sheet.kind === "lesson" && sheet.back) || null });
  const [title, content] = contents(ctx, sheet, close);
  return dialog({ kind: sheet.kind, title, close }, content);
}

function contents(ctx, sheet, close) {
  const { state, store, post } = ctx;
  const after = (promise) => promise.then((done) => done && close());
  if (isLazySheet(sheet.kind)) return lazySheet(ctx, sheet, close);
  if (sheet.kind === "game") return [state.phase === "seating" ? say.welcome : say.newGame, newGame(ctx)];
  if (sheet.kind === "join") return joinSheet(ctx, sheet);
  if (sheet.kind === "others") return inviteSheet(ctx);
  if (sheet.kind === "menu") return menu(ctx, sheet, close, after);
  if (sheet.kind === "count") return [say.justTalk, countQuestion(ctx, after)];
  if (sheet.kind === "undo") return [say.undoAsk(textOf(state.undo)), undoQuestion(ctx, close, after)];
  if (sheet.kind === "hand") return [say.handTitle, withReveal(store, ({ handCount }) => handCount(ctx))];
  if (sheet.kind === "calza") {
    return [say.whoCalza, whoButtons(state, state.may.calza.filter((name) => speaksFor(store.get().me, name)), (player) => after(post("calza", { player })))];
  }
  const found = state.reading.dice.find((d) => d.id === sheet.id);
  return [found.player ? say.pair(found.player, say.colours[found.colour]) : say.putRight, withReveal(store, ({ correctionForm }) => correctionForm(ctx, found, after))];
}
