// The words of a table's club, in the page's language. Loaded at a table that is in one.

import { words as english } from "./en/club.js";
import { language } from "./language.js";

const MODULES = {
  fr: () => import("./fr/club.js"),
  nl: () => import("./nl/club.js"),
  it: () => import("./it/club.js"),
  es: () => import("./es/club.js"),
};

/** The words; a live binding, so read it when drawing. */
export let clubWord = english;

let loaded = "en";

/** Settles once the words are those of the page's language; `false` if they were so before. Rejects if they cannot be loaded. */
export async function loadClubWords() {
  if (loaded === language) return false;
  const id = language;
  clubWord = id === "en" ? english : (await MODULES[id]()).words;
  loaded = id;
  return true;
}
