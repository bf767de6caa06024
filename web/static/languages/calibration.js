// The words of the calibration page, in the page's language. Only that page loads them.

import { words as english } from "./en/calibration.js";
import { language, loadMessages, ready } from "./language.js";

const MODULES = {
  fr: () => import("./fr/calibration.js"),
  nl: () => import("./nl/calibration.js"),
  it: () => import("./it/calibration.js"),
  es: () => import("./es/calibration.js"),
};

/** The words; a live binding, so read it when drawing. */
export let word = english;

async function load() {
  await ready;
  if (language === "en") return;
  const [own] = await Promise.all([MODULES[language](), loadMessages("calibration")]);
  word = own.words;
}

/** Settles once the page may be drawn; if the words cannot be loaded, the page is in English. */
export const wordsReady = load().catch(() => {});
