// The words of the demo's robots, in the page's language. Loaded where they are needed.

import { words as english } from "./en/demo.js";
import { language } from "./language.js";

const MODULES = {
  fr: () => import("./fr/demo.js"),
  nl: () => import("./nl/demo.js"),
  it: () => import("./it/demo.js"),
  es: () => import("./es/demo.js"),
};

/** The words; a live binding, so read it when drawing. */
export let demoWord = english;

let loaded = "en";

/** Settles once the words are those of the page's language; `false` if they were so before. Rejects if they cannot be loaded. */
export async function loadDemoWords() {
  if (loaded === language) return false;
  const id = language;
  demoWord = id === "en" ? english : (await MODULES[id]()).words;
  loaded = id;
  return true;
}
