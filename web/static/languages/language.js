// The words of the language that is shown, and the choice of it. The table's own messages come with the state; `textOf`
// translates them. A language is two modules, loaded when it is chosen: the page's words, and the table's messages.

import { createTranslator } from "./translator.js";
import { words as english } from "./en/page.js";

/** Every language of the page, named in itself. */
export const languages = [
  { id: "en", name: "English" },
  { id: "fr", name: "Français" },
  { id: "nl", name: "Nederlands" },
  { id: "it", name: "Italiano" },
  { id: "es", name: "Español" },
];

const MODULES = {
  fr: () => import("./fr/page.js"),
  nl: () => import("./nl/page.js"),
  it: () => import("./it/page.js"),
  es: () => import("./es/page.js"),
};
const KEY = "perudo-language";

/** Every word of the page; a live binding, so read it when it is drawn, never when a module is loaded. */
export let say = english;

/** The id of the language that is shown; a live binding too. */
export let language = "en";

let tell = null; // null in English, which is what the table speaks

/** "paco", "fours". */
export const faceName = (face, count = 1) => say.faceName(face, count);

/** What the table says, in the language that is shown: of anything that has a `sentence` or a `message`. */
export function textOf(thing) {
  if (!thing) return "";
  const plain = thing.sentence || thing.message || "";
  if (!tell || !thing.said) return plain;
  try {
    return tell(thing.said);
  } catch (error) {
    console.error(error); // a message of a newer box: English says it better than nothing does
    return plain;
  }
}

/** The language to begin with: what was chosen on this phone, else the first of the browser's that the page speaks. */
export function preferred(chosen, wanted) {
  const offered = languages.map(({ id }) => id);
  if (offered.includes(chosen)) return chosen;
  const found = wanted.map((tag) => tag.toLowerCase().split("-")[0]).find((id) => offered.includes(id));
  return found || "en";
}

/** Speak the language `id` from the next drawing on, and remember it. Rejects when its words cannot be fetched. */
export async function chooseLanguage(id) {
  await show(id);
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // a browser that keeps nothing is asked again the next time
  }
}

let wanted = 0; // the last choice counts, whichever module comes first

async function show(id) {
  wanted += 1;
  const mine = wanted;
  const found = id === "en" ? null : await MODULES[id]();
  if (mine === wanted) applyLanguage(id, found);
}

/** Speak a language that is at hand, `{words, messages, grammar}` as in `fr/page.js`, from the next drawing on; null: English. */
export function applyLanguage(id, found = null) {
  say = found ? found.words : english;
  tell = found ? createTranslator(found.messages, found.grammar) : null;
  language = id;
  document.documentElement.lang = id;
}

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // nothing may be read
  }
}

/** Settled once the page may be drawn; where the words cannot be fetched it speaks English. */
export const ready = show(preferred(remembered(), navigator.languages || [])).catch(() => {});
