// Parts of the page that the first view does not need are loaded later, so that the page starts faster.

import { isFirstRound } from "./first-round.js";
import { lazy } from "../core/lazy.js";
import { say } from "../languages/language.js";

const REVEAL_DELAY = 1500; // ms after the first drawing

const views = {};
const sheets = {};

/** Say how the views and sheets are loaded, by their names: functions that import. They import this module, it imports none. */
export function provide(found) {
  for (const name of Object.keys(found.views)) views[name] = lazy(found.views[name]);
  for (const kind of Object.keys(found.sheets)) sheets[kind] = lazy(found.sheets[kind]);
}

/** `draw` with the views of `reveal/index.js`, or a placeholder. */
export const withReveal = (...args) => views.reveal.use(...args);

/** The form of a new game, or a placeholder. */
export const newGame = (ctx) => views.setUp.use(ctx.store, (module) => module.newGame(ctx));

/** What begins another game of the same players, once it is loaded; null until then. */
export const rematchOf = (ctx) => views.setUp.use(ctx.store, (module) => () => module.rematch(ctx), () => null);

/** The series and the clock of the turn, once they are loaded; null in a game with neither. */
export const matchOf = ({ state, store }) =>
  state.series || state.turn_seconds ? views.company.use(store, (module) => module.match(state), () => null) : null;

/** A view of the table's club, see what `ready` in `menu/club.js` gives, once they are loaded; null at a table in none. */
export const clubOf = (ctx, view) => (ctx.state.club ? views.club.use(ctx.store, (module) => module[view](ctx), () => null) : null);

/** A view of the demo, see what `ready` in `demo/demo.js` gives, once they are loaded; else null. */
export const demoOf = (ctx, view = "card", name = "") => (ctx.state.demo || (ctx.state.panel && ctx.state.panel.virtual) ? views.demo.use(ctx.store, (module) => module[view](ctx, name), () => null) : null);

/** Whether this is a demo that nobody plays yet. */
export const isFreshDemo = ({ demo, robots, round, bid }) => demo && !robots && round === 1 && !bid;

/** All that a phone sees that is nobody's yet, or with "begin" the button that begins, or a placeholder; null for any other phone, and for who looks on without having joined. */
export const firstScreen = (ctx, view = "welcome") => {
  const { me } = ctx.store.get();
  const outside = me && me.role === null && (me.joined || ctx.state.phase === "seating" || isFreshDemo(ctx.state));
  return outside ? views.welcome.use(ctx.store, (module) => module[view](ctx)) : null;
};

/** A view of the game that has just been won, see what `ready` in `past/ending.js` gives, once it is loaded; else null. */
export const endOf = (ctx, view = "ending") => views.end.use(ctx.store, (module) => module[view](ctx), () => null);

/** A sentence of the coach, see what `ready` in `lesson/coach.js` gives, in the first round of this phone's player; else "". */
export const coachOf = (ctx, sentence) =>
  isFirstRound(ctx.state, ctx.store.get().me) ? views.coach.use(ctx.store, (module) => module[sentence](ctx), () => "") : "";

/** Load the views of the reveal soon: while the first bids are made. */
export const preloadReveal = (store) => setTimeout(() => views.reveal.bring(store), REVEAL_DELAY);

/** Whether a sheet of this kind is loaded when it is opened. */
export const isLazySheet = (kind) => kind in sheets;

/** [title, content] of such a sheet. */
export const lazySheet = (ctx, sheet, close) =>
  sheets[sheet.kind].use(ctx.store, (module) => module.sheet(ctx, sheet, close), (waiting) => [say.menu, waiting]);
