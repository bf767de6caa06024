// The page's language and its words. The table's messages come with the state, and `textOf` translates them. A language has
// modules of words, and catalogs: JSON files, message -> translation, where `{name:form}` is a form of the grammar in its
// page.js. The words in page.js and the catalog messages.json are loaded when the language is chosen; those of the rules, of
// a game's story, of pictures from phones, of calibrating, of the box and of a club (what its hub refuses, a tournament's
// next steps) when a view or a page needs them.

import { createTranslator } from "./translator.js";
import { words as english } from "./en/page.js";

/** Every language of the page, with its own name for itself. */
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

/** The words of the page; a live binding, so read it when drawing, never when a module is loaded. */
export let say = english;

/** The id of the page's language; also a live binding. */
export let language = "en";

let tell = null; // null in English, which is what the table speaks

/** "paco", "fours". */
export const faceName = (face, count = 1) => say.faceName(face, count);

/** The text of anything that has a `sentence` or a `message`, in the page's language. */
export function textOf(thing) {
  if (!thing) return "";
  const plain = thing.sentence || thing.message || "";
  if (!tell || !thing.said) return plain;
  try {
    return tell(thing.said);
  } catch (error) {
    console.error(error); // a message from a newer box: show it in English
    return plain;
  }
}

/** The language to begin with: the one chosen on this phone, else the browser's first that the page has. */
export function preferred(chosen, wanted) {
  const offered = languages.map(({ id }) => id);
  if (offered.includes(chosen)) return chosen;
  const found = wanted.map((tag) => tag.toLowerCase().split("-")[0]).find((id) => offered.includes(id));
  return found || "en";
}

/** Use the language `id` from the next drawing on, and store it. Rejects if its words cannot be loaded. */
export async function chooseLanguage(id) {
  await show(id);
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // storage is not available: the choice is not kept
  }
}

let chosen = "en";
let loaded = Promise.resolve(); // the last choice counts, whichever module arrives first
const parts = new Set();

/** Load these parts of the messages too, "rules" or "club", in any language from now on. Rejects if one cannot be. */
export async function loadMessages(...names) {
  const missing = names.filter((name) => !parts.has(name));
  if (!missing.length) return loaded;
  missing.forEach((name) => parts.add(name));
  if (chosen === "en") return loaded;
  try {
    return await show(chosen);
  } catch (error) {
    missing.forEach((name) => parts.delete(name));
    throw error;
  }
}

function show(id) {
  chosen = id;
  const use = (found) => (mine === loaded ? applyLanguage(id, found) : loaded);
  const fail = (error) => {
    if (mine === loaded) {
      chosen = language;
      loaded = Promise.resolve();
    }
    throw error;
  };
  const mine = load(id).then(use, fail);
  loaded = mine;
  return mine;
}

async function load(id) {
  if (id === "en") return null;
  const names = ["messages", ...[...parts].map((part) => `${part}-messages`)];
  const [{ words, grammar }, ...found] = await Promise.all([MODULES[id](), ...names.map((name) => loadCatalog(id, name))]);
  return { words, grammar, messages: Object.assign({}, ...found) };
}

const catalogs = new Map(); // file -> a promise of its messages: loaded once, as a module is

/** A catalog of a language, "messages" or "rules-messages": message -> translation. Rejects if it cannot be loaded. */
export function loadCatalog(id, name) {
  const file = `${id}/${name}.json`;
  if (!catalogs.has(file)) {
    const loading = fetch(new URL(file, import.meta.url)).then((answer) => {
      if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
      return answer.json();
    });
    catalogs.set(file, loading);
    loading.catch(() => catalogs.delete(file));
  }
  return catalogs.get(file);
}

/** Use a loaded language, `{words, grammar}` as in `fr/page.js` and its `messages`, from the next drawing on; null: English. */
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
    return null; // storage is not available
  }
}

/** Settles once the page may be drawn; if the words cannot be loaded, the page is in English. */
export const ready = show(preferred(remembered(), [document.documentElement.dataset.language || "", ...(navigator.languages || [])])).catch(() => {});
