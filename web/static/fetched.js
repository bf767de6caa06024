// Modules that are fetched when they are wanted: the page begins the lighter.

import { button, h } from "./dom.js";
import { say } from "./words.js";

/** `load` imports a module: it is called once. */
export function fetched(load) {
  let module = null;
  let asked = false;
  let failed = false;

  async function bring(store) {
    if (asked) return;
    asked = true;
    try {
      module = await load();
    } catch {
      failed = true;
    }
    store.change({});
  }

  /** What `draw` makes of the module; until it is there, `otherwise` of what tells that it is looked for. */
  function use(store, draw, otherwise = (waiting) => waiting) {
    bring(store);
    return module ? draw(module) : otherwise(waiting());
  }

  function waiting() {
    if (!failed) return h("p", { class: "quiet connecting", key: "fetched" }, say.connecting);
    // A browser may remember that a module could not be had: only a page that is loaded anew asks again.
    return h("div", { class: "asked", key: "fetched" }, h("p", {}, say.noAnswer), button("plain", () => location.reload(), {}, say.tryAgain));
  }

  return { bring, use };
}
