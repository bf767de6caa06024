// What opens over the page: a die to put right, counting by hand, a new game, who says calza, the menu.

import { afterCall } from "./after-call.js";
import { dialog } from "./dialog.js";
import { speaksFor } from "./identity.js";
import { isLater, laterSheet } from "./later.js";
import { whoButtons } from "./view-bid.js";
import { game } from "./view-game.js";
import { joining, others } from "./view-join.js";
import { counting, mayCount, menu } from "./view-menu.js";
import { seats } from "./view-seats.js";
import { storyView } from "./view-story.js";
import { undoing } from "./view-undo.js";
import { say, told } from "./words.js";

const REVEALED = ["rolling", "reading", "checking", "telling", "verdict", "over"];
const READ = ["checking", "telling", "verdict", "over"];
const ALWAYS = ["game", "story", "menu", "join", "who", "others"];
const IN_A_BREAK = ["game", "menu", "join", "who", "others"];

/** The sheet as it fits this state, or null: one that has lost its purpose closes by itself. */
export function fitting(state, sheet) {
  if (!sheet) return null;
  if (isLater(sheet.kind)) return sheet;
  if (ALWAYS.includes(sheet.kind)) return sheet;
  if (sheet.kind === "count") return mayCount(state) ? sheet : null;
  if (sheet.kind === "undo") return state.undo && state.undo.step === sheet.step ? sheet : null;
  if (sheet.kind === "hand") return REVEALED.includes(state.phase) ? sheet : null;
  if (sheet.kind === "calza") return state.phase === "bidding" && state.may.calza.length ? sheet : null;
  // A die, or the place of one, is of one reading: in another the same number is another die.
  if (!READ.includes(state.phase) || !state.reading || state.reading.id !== sheet.reading) return null;
  return sheet.kind === "place" || state.reading.dice.some((d) => d.id === sheet.id) ? sheet : null;
}

/** The open sheet. */
export function sheetView(ctx) {
  const { store } = ctx;
  const { sheet } = store.get();
  if (!sheet || sheet.kind === "place") return null; // that one lies by the picture
  if (ctx.state.paused && !IN_A_BREAK.includes(sheet.kind) && !isLater(sheet.kind)) return null; // half-made things wait for its end
  const close = () => store.change({ sheet: null });
  const [title, content] = contents(ctx, sheet, close);
  return dialog({ kind: sheet.kind, title, close }, content);
}

function contents(ctx, sheet, close) {
  const { state, store, post } = ctx;
  const after = (promise) => promise.then((done) => done && close());
  if (isLater(sheet.kind)) return laterSheet(ctx, sheet, close);
  if (sheet.kind === "game") return [state.phase === "seating" ? say.welcome : say.newGame, game(ctx)];
  if (sheet.kind === "join") return joining(ctx, sheet);
  if (sheet.kind === "who") return seats(ctx, sheet, close);
  if (sheet.kind === "others") return others(ctx);
  if (sheet.kind === "story") return [say.howItWent, storyView(sheet)];
  if (sheet.kind === "menu") return menu(ctx, sheet, close, after);
  if (sheet.kind === "count") return [say.justTalk, counting(ctx, after)];
  if (sheet.kind === "undo") return [say.undoAsk(told(state.undo)), undoing(ctx, close, after)];
  if (sheet.kind === "hand") return [say.handTitle, afterCall(store, ({ hand }) => hand(ctx))];
  if (sheet.kind === "calza") {
    return [say.whoCalza, whoButtons(state, state.may.calza.filter((name) => speaksFor(store.get().me, name)), (player) => after(post("calza", { player })))];
  }
  const found = state.reading.dice.find((d) => d.id === sheet.id);
  return [found.player ? `${found.player}: ${say.colours[found.colour]}` : say.putRight, afterCall(store, ({ putRight }) => putRight(ctx, found, after))];
}
