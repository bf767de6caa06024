// The words of calibrating, in the language of the page. They are fetched with the page for it, and with no other.

import { words as english } from "./words-calibration-en.js";
import { teller } from "./tell.js";
import { language, ready, told as toldByTable } from "./words.js";

const MODULES = {
  fr: () => Promise.all([import("./words-fr.js"), import("./words-calibration-fr.js")]),
  nl: () => Promise.all([import("./words-nl.js"), import("./words-calibration-nl.js")]),
  it: () => Promise.all([import("./words-it.js"), import("./words-calibration-it.js")]),
  es: () => Promise.all([import("./words-es.js"), import("./words-calibration-es.js")]),
};

/** Every word of calibrating; a live binding, so read it when it is drawn. */
export let word = english;

let tell = null;

/** What the box says, in the language of the page: of anything that has a `sentence` or a `message`. */
export function told(thing) {
  if (!tell || !thing || !thing.said) return toldByTable(thing);
  try {
    return tell(thing.said);
  } catch (error) {
    console.error(error); // a message of a newer box
    return thing.sentence || thing.message || "";
  }
}

async function fetched() {
  await ready;
  if (language === "en") return;
  const [table, own] = await MODULES[language]();
  word = own.words;
  tell = teller({ ...table.told, ...own.told }, table.grammar);
}

/** Settled once the page may be drawn; where the words cannot be fetched it speaks English. */
export const worded = fetched().catch(() => {});
