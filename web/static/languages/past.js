// The words of the past games, in the page's language. Only their sheet loads them.

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
