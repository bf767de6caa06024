// Sheets that are seldom opened: their modules are fetched when they are, and the page begins the lighter.

import { button, h } from "./dom.js";
import { say } from "./words.js";

const FETCH = {
  rules: () => import("./view-rules.js"),
  settings: () => import("./view-settings.js"),
};
const there = {};

/** Whether a sheet of this kind is one of them. */
export const isLater = (kind) => kind in FETCH;

async function bring(kind, store) {
  there[kind] = { asked: true };
  try {
    there[kind] = await FETCH[kind]();
  } catch {
    there[kind] = { failed: true };
  }
  store.change({});
}

/** [title, content] of the open sheet; until it is there, that it is looked for. */
export function laterSheet(ctx, sheet, close) {
  const module = there[sheet.kind];
  if (module && module.sheet) return module.sheet(ctx, sheet, close);
  if (!module) bring(sheet.kind, ctx.store);
  if (!module || !module.failed) return [say.menu, h("p", { class: "quiet connecting", key: "fetched" }, say.connecting)];
  // A browser may remember that a module could not be had: only a page that is loaded anew asks again.
  return [say.menu, h("div", { class: "asked" }, h("p", {}, say.noAnswer), button("plain", () => location.reload(), {}, say.tryAgain))];
}
