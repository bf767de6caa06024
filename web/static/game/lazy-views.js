// Parts of the page that the first view does not need are loaded later, so that the page starts faster.

import { isFirstRound } from "./first-round.js";
import { lazy } from "../core/lazy.js";
import { loadMessages, say } from "../languages/language.js";

const REVEAL_DELAY = 1500; // ms after the first drawing

const reveal = lazy(() => import("../reveal/index.js").then((module) => module.styled.then(() => module)));
const setUp = lazy(() => withRules(import("../menu/new-game.js").then((module) => module.ready())));
const club = lazy(() => import("../menu/club.js").then((module) => module.ready()));
const company = lazy(() => import("./match.js").then((module) => module.ready()));
const demo = lazy(() => import("../demo/demo.js").then((module) => module.ready()));
const end = lazy(() => import("../past/highlights.js").then((module) => module.ready()));
const coach = lazy(() => import("../lesson/coach.js").then((module) => module.ready()));
const people = lazy(() => import("../menu/people.js").then((module) => module.ready()));
const SHEETS = {
  lesson: lazy(() => import("../lesson/cards.js").then((module) => module.ready())),
  rules: lazy(() => withRules(import("../menu/rules.js"))),
  past: lazy(() => import("../past/past.js").then((module) => module.ready())),
  settings: lazy(() => import("../menu/preferences.js")),
  player: people,
  newcomer: people,
  who: lazy(() => import("../menu/seats.js")),
};

/** The module, once the words of the rules are there too. */
async function withRules(loading) {
  await loadMessages("rules");
  return loading;
}

/** `draw` with the views of `reveal/index.js`, or a placeholder. */
export const withReveal = reveal.use;

/** The form of a new game, or a placeholder. */
export const newGame = (ctx) => setUp.use(ctx.store, (module) => module.newGame(ctx));

/** What begins another game of the same players, once it is loaded; null until then. */
export const rematchOf = (ctx) => setUp.use(ctx.store, (module) => () => module.rematch(ctx), () => null);

/** The series and the clock of the turn, once they are loaded; null in a game with neither. */
export const matchOf = ({ state, store }) =>
  state.series || state.turn_seconds ? company.use(store, (module) => module.match(state, () => store.change({})), () => null) : null;

/** A view of the table's club, see what `ready` in `menu/club.js` gives, once they are loaded; null at a table in none. */
export const clubOf = (ctx, view) => (ctx.state.club ? club.use(ctx.store, (module) => module[view](ctx), () => null) : null);

/** A view of the demo, see what `ready` in `demo/demo.js` gives, once they are loaded; else null. */
export const demoOf = (ctx, view = "card", name = "") => (ctx.state.demo || (ctx.state.panel && ctx.state.panel.virtual) ? demo.use(ctx.store, (module) => module[view](ctx, name), () => null) : null);

/** All that a phone sees that has not joined a demo which nobody plays, or a placeholder; null for any other phone. */
export const firstScreen = (ctx) => {
  const { me } = ctx.store.get();
  return ctx.state.demo && me && !me.joined ? demo.use(ctx.store, (module) => module.firstScreen(ctx)) : null;
};

/** A view of the game that has just been won, see what `ready` in `past/highlights.js` gives, once it is loaded; else null. */
export const endOf = (ctx, view = "ending") => end.use(ctx.store, (module) => module[view](ctx), () => null);

/** A sentence of the coach, see what `ready` in `lesson/coach.js` gives, in the first round of this phone's player; else "". */
export const coachOf = (ctx, sentence) =>
  isFirstRound(ctx.state, ctx.store.get().me) ? coach.use(ctx.store, (module) => module[sentence](ctx), () => "") : "";

/** Load the views of the reveal soon: while the first bids are made. */
export const preloadReveal = (store) => setTimeout(() => reveal.bring(store), REVEAL_DELAY);

/** Whether a sheet of this kind is loaded when it is opened. */
export const isLazySheet = (kind) => kind in SHEETS;

/** [title, content] of such a sheet. */
export const lazySheet = (ctx, sheet, close) =>
  SHEETS[sheet.kind].use(ctx.store, (module) => module.sheet(ctx, sheet, close), (waiting) => [say.menu, waiting]);
