// The words of past games, series and the clock of a turn, in the page's language. Loaded where they are needed.

import { words as english } from "./en/past.js";
import { language } from "./language.js";

const MODULES = {
  fr: () => import("./fr/past.js"),
  nl: () => import("./nl/past.js"),
  it: () => import("./it/past.js"),
  es: () => import("./es/past.js"),
};

/** The words; a live binding, so read it when drawing. */
export let pastWord = english;

let loaded = "en";

/** Settles once the words are those of the page's language; `false` if they were so before. Rejects if they cannot be loaded. */
export async function loadPastWords() {
  if (loaded === language) return false;
  const id = language;
  pastWord = id === "en" ? english : (await MODULES[id]()).words;
  loaded = id;
  return true;
}
