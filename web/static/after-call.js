// What is shown after a call is a good part of the page, and nobody needs it to see whose turn it is: it is fetched when the
// table has been drawn, while the first bids are made.

import { button, h } from "./dom.js";
import { say } from "./words.js";

const SOON = 1500; // ms after the first drawing

let views = null;
let asked = false;
let failed = false;

async function fetchViews(store) {
  asked = true;
  try {
    views = await import("./revealed.js");
  } catch {
    failed = true;
  }
  store.change({});
}

/** Have them fetched soon: the table is there. */
export const soon = (store) => setTimeout(() => asked || fetchViews(store), SOON);

/** What `draw` makes of the views of `revealed.js`; until they are there, that they are looked for. */
export function afterCall(store, draw) {
  if (views) return draw(views);
  if (!asked) fetchViews(store);
  if (!failed) return h("p", { class: "quiet connecting", key: "fetched" }, say.connecting);
  // A browser may remember that a module could not be had: only a page that is loaded anew asks again.
  return h("div", { class: "asked", key: "fetched" }, h("p", {}, say.noAnswer), button("plain", () => location.reload(), {}, say.tryAgain));
}
