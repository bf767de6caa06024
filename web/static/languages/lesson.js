// The words of the lesson and of the first round, in the page's language. Loaded where they are needed.

import { words as english } from "./en/lesson.js";
import { language } from "./language.js";

const MODULES = {
  fr: () => import("./fr/lesson.js"),
  nl: () => import("./nl/lesson.js"),
  it: () => import("./it/lesson.js"),
  es: () => import("./es/lesson.js"),
};

/** The words; a live binding, so read it when drawing. */
export let lessonWord = english;

let loaded = "en";

/** Settles once the words are those of the page's language; `false` if they were so before. Rejects if they cannot be loaded. */
export async function loadLessonWords() {
  if (loaded === language) return false;
  const id = language;
  lessonWord = id === "en" ? english : (await MODULES[id]()).words;
  loaded = id;
  return true;
}
