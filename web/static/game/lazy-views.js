// Parts of the page that nobody needs to see whose turn it is: the page starts the lighter without them.

import { button, h } from "../core/dom.js";
import { say } from "../languages/language.js";

const REVEAL_DELAY = 1500; // ms after the first drawing

/** A module that `load` imports once, when it is first wanted. */
function lazy(load) {
  let module = null;
  let requested = false;
  let failed = false;

  async function bring(store) {
    if (requested) return;
    requested = true;
    try {
      module = await load();
    } catch {
      failed = true;
    }
    store.change({});
  }

  function placeholder() {
    if (!failed) return h("p", { class: "quiet connecting", key: "placeholder" }, say.connecting);
    // A browser may remember that a module could not be loaded: only a reload asks for it again.
    return h("div", { class: "asked", key: "placeholder" }, h("p", {}, say.noAnswer), button("plain", () => location.reload(), {}, say.tryAgain));
  }

  /** What `draw` makes of the module; until it is loaded, what `otherwise` makes of a placeholder. */
  function use(store, draw, otherwise = (waiting) => waiting) {
    bring(store);
    return module ? draw(module) : otherwise(placeholder());
  }

  return { bring, use };
}

const reveal = lazy(() => import("../reveal/index.js"));
const SHEETS = {
  rules: lazy(() => import("../menu/rules.js")),
  settings: lazy(() => import("../menu/preferences.js")),
};

/** What `draw` makes of the views of `reveal/index.js`, or a placeholder. */
export const withReveal = reveal.use;

/** Load the views of the reveal soon: while the first bids are made. */
export const preloadReveal = (store) => setTimeout(() => reveal.bring(store), REVEAL_DELAY);

/** Whether a sheet of this kind is loaded when it is opened. */
export const isLazySheet = (kind) => kind in SHEETS;

/** [title, content] of such a sheet. */
export const lazySheet = (ctx, sheet, close) =>
  SHEETS[sheet.kind].use(ctx.store, (module) => module.sheet(ctx, sheet, close), (waiting) => [say.menu, waiting]);
