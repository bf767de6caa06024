// The words of the language that is shown. What the table says comes with the state, and `told` says it.

import { words as english } from "./words-en.js";

/** Every language of the page, named in itself. */
export const languages = [
  { id: "en", name: "English" },
  { id: "fr", name: "Français" },
  { id: "nl", name: "Nederlands" },
  { id: "it", name: "Italiano" },
  { id: "es", name: "Español" },
];

/** Every word of the page; a live binding, so read it when it is drawn, never when a module is loaded. */
export let say = english;

/** The id of the language that is shown; a live binding too. */
export let language = "en";

/** "paco", "fours". */
export const faceName = (face, count = 1) => say.faceName(face, count);

/** What the table says, in the language that is shown: of anything that has a `sentence` or a `message`. */
export const told = (thing) => (thing ? thing.sentence || thing.message || "" : "");

/** Speak the language `id` from the next drawing on; a promise, because its words may have to be fetched. */
export async function speak(id) {
  if (id !== "en") throw new Error(`there is no language ${id} yet`);
  say = english;
  language = id;
  document.documentElement.lang = id;
}
