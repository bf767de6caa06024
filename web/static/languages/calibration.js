// The words of the calibration page, in the page's language. Only that page loads them.

import { words as english } from "./en/calibration.js";
import { createTranslator } from "./translator.js";
import { language, ready, textOf as textOfTable } from "./language.js";

const MODULES = {
  fr: () => Promise.all([import("./fr/page.js"), import("./fr/calibration.js")]),
  nl: () => Promise.all([import("./nl/page.js"), import("./nl/calibration.js")]),
  it: () => Promise.all([import("./it/page.js"), import("./it/calibration.js")]),
  es: () => Promise.all([import("./es/page.js"), import("./es/calibration.js")]),
};

/** The words of calibrating; a live binding, so read it when drawing. */
export let word = english;

let tell = null;

/** The text of anything that has a `sentence` or a `message`, in the page's language. */
export function textOf(thing) {
  if (!tell || !thing || !thing.said) return textOfTable(thing);
  try {
    return tell(thing.said);
  } catch (error) {
    console.error(error); // a message from a newer box
    return thing.sentence || thing.message || "";
  }
}

async function load() {
  await ready;
  if (language === "en") return;
  const [table, own] = await MODULES[language]();
  word = own.words;
  tell = createTranslator({ ...table.messages, ...own.messages }, table.grammar);
}

/** Settles once the page may be drawn; if the words cannot be loaded, the page is in English. */
export const wordsReady = load().catch(() => {});
