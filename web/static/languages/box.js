// The words of the page of the box, in the page's language. Only that page loads them.

import { words as english } from "./en/box.js";
import { loadPart } from "./page-part.js";

const part = loadPart({
  fr: () => Promise.all([import("./fr/page.js"), import("./fr/box.js"), import("./fr/club-messages.js")]),
  nl: () => Promise.all([import("./nl/page.js"), import("./nl/box.js"), import("./nl/club-messages.js")]),
  it: () => Promise.all([import("./it/page.js"), import("./it/box.js"), import("./it/club-messages.js")]),
  es: () => Promise.all([import("./es/page.js"), import("./es/box.js"), import("./es/club-messages.js")]),
});

/** The words; a live binding, so read it when drawing. */
export let boxWord = english;

/** The text of anything that has a `sentence` or a `message`, in the page's language. */
export const { textOf } = part;

/** Settles once the page may be drawn; if the words cannot be loaded, the page is in English. */
export const wordsReady = part.ready.then((words) => {
  boxWord = words || english;
});
