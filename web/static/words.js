// The words of the language that is shown. What the table says comes with the state.

import { words as english } from "./words-en.js";

/** Every word of the page; a live binding, so read it when it is drawn, never when a module is loaded. */
export let say = english;

/** "paco", "fours". */
export const faceName = (face, count = 1) => say.faceName(face, count);

/** Speak another language from the next drawing on. */
export function speak(words) {
  say = words;
}
