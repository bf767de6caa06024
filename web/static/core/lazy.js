// Modules and style sheets that are loaded once they are needed.

import { button, h } from "./dom.js";
import { say } from "../languages/language.js";

/** A module that `load` imports once, when it is first needed. */
export function lazy(load) {
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
    // A browser may remember that a module could not be loaded: only a reload tries again.
    return h("div", { class: "asked", key: "placeholder" }, h("p", {}, say.noAnswer), button("plain", () => location.reload(), {}, say.tryAgain));
  }

  /** `draw(module)`; until the module is loaded, `otherwise(placeholder)`. */
  function use(store, draw, otherwise = (waiting) => waiting) {
    bring(store);
    return module ? draw(module) : otherwise(placeholder());
  }

  return { bring, use };
}

/** Settles once the style sheet at `url` applies. Rejects if it cannot be loaded. */
export const loadStyle = (url) =>
  new Promise((done, failed) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: url.href, onload: done, onerror: failed });
    document.head.append(link);
  });
