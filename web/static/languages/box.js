// The words of the page of the box, in the page's language. Only that page loads them.

import { words as english } from "./en/box.js";
import { language, loadMessages, ready } from "./language.js";

const MODULES = {
  fr: () => import("./fr/box.js"),
  nl: () => import("./nl/box.js"),
  it: () => import("./it/box.js"),
  es: () => import("./es/box.js"),
};

/** The words; a live binding, so read it when drawing. */
export let boxWord = english;

async function load() {
  await ready;
  if (language === "en") return;
  const [own] = await Promise.all([MODULES[language](), loadMessages("box", "club")]);
  boxWord = own.words;
}

/** Settles once the page may be drawn; if the words cannot be loaded, the page is in English. */
export const wordsReady = load().catch(() => {});
