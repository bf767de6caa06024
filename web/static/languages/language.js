// The page's language and its words. A language is a folder: JSON files, and the grammar that is no data in `grammar.js`. The
// files are the page's own words, `page.json` and one for each part that is loaded when it is needed, and catalogs of the table's
// messages, message -> translation: `messages.json`, and those of the rules, of a game's story, of pictures from phones, of
// calibrating, of the box and of a club. English has no catalogs, since the table speaks it. How a sentence is written is said in
// `sentences.js`.

import { createTranslator, wordsOf } from "./sentences.js";

/** Every language of the page, with its own name for itself. */
export const languages = JSON.parse(document.documentElement.dataset.languages);

const KEY = "perudo-language";
const CATALOG = /messages$/;
const page = document.documentElement;

/** The words of every part that is loaded: `word.past.won(name)`. A live binding, so read it when drawing, never when a module is loaded. */
export let word = {};

/** Those of the page, which are there once it is `ready`; also a live binding. */
export let say = {};

/** The id of the page's language; also a live binding. */
export let language = "en";

let grammar = null;
let tell = null; // null in English

/** "paco", "fours". */
export const faceName = (face, count = 1) => grammar.faceName(face, count);

/** Whether nobody has chosen a language, and the page has none of the browser's. */
export const noneKnown = () => "unknown" in page.dataset;

/** The text of anything that has a `sentence` or a `message`, in the page's language. */
export function textOf(thing) {
  if (!thing) return "";
  const plain = printed(thing.sentence || thing.message || "");
  if (!tell || !thing.said) return plain;
  try {
    return tell(thing.said);
  } catch (error) {
    console.error(error); // a message from a newer box: show it in English
    return plain;
  }
}

// English as the table says it, with the quotation marks and apostrophes of print.
const printed = (text) => text.replace(/(^|[\s(])'([^']+)'(?=[\s.,:;?)]|$)/g, "$1“$2”").replace(/"([^"]*)"/g, "“$1”").replace(/'/g, "’");

/** Use the language `id` from the next drawing on, and store it. Rejects if its words cannot be loaded. */
export async function chooseLanguage(id) {
  await inTurn(() => use(id, parts));
  delete page.dataset.unknown;
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // storage is not available: the choice is not kept
  }
}

/** Whether a file is loaded: the messages of one that is not are in English. */
export const hasWords = (name) => parts.has(name);

/** Load these files too, "past" or "rules-messages", in any language from now on. Rejects if one cannot be. */
export function loadWords(...names) {
  if (names.every((name) => parts.has(name))) return last;
  load(language, names).catch(() => {}); // they come while another step is waited for
  return inTurn(() => use(language, [...parts, ...names]));
}

const parts = new Set(); // what is loaded, in the page's language
let last = Promise.resolve();

// One step after the other: the last choice counts, whichever words arrive first.
function inTurn(step) {
  const done = last.then(step);
  last = done.catch(() => {});
  return done;
}

async function use(id, names) {
  const files = [...new Set(names)];
  applyLanguage(id, await load(id, files));
  files.forEach((name) => parts.add(name));
}

let failures = 0; // of importing a grammar: a browser may try no address twice

const grammarOf = (id) =>
  import(`./${id}/grammar.js${failures ? `?${failures}` : ""}`).catch((error) => {
    failures += 1;
    throw error;
  });

async function load(id, names) {
  const files = names.filter((name) => id !== "en" || !CATALOG.test(name));
  const [module, ...contents] = await Promise.all([grammarOf(id), ...files.map((name) => loadFile(id, name))]);
  const found = files.map((name, n) => [name, contents[n]]);
  const words = Object.fromEntries(found.filter(([name]) => !CATALOG.test(name)));
  const catalogs = found.filter(([name]) => CATALOG.test(name)).map(([, messages]) => messages);
  return { grammar: module.grammar, words, messages: id === "en" ? null : Object.assign({}, ...catalogs) };
}

const loaded = new Map(); // file -> a promise of its content: loaded once, as a module is

/** A file of a language, "page" or "rules-messages". Rejects if it cannot be loaded. */
export function loadFile(id, name) {
  const file = `${id}/${name}.json`;
  if (!loaded.has(file)) {
    const loading = fetch(new URL(file, import.meta.url)).then((answer) => {
      if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
      return answer.json();
    });
    loaded.set(file, loading);
    loading.catch(() => loaded.delete(file));
  }
  return loaded.get(file);
}

/** Use a loaded language from the next drawing on: `words` by part, the `grammar`, and the `messages`, null in English. */
export function applyLanguage(id, found) {
  grammar = found.grammar;
  word = wordsOf(found.words, grammar, id);
  say = word.page;
  tell = found.messages && createTranslator(found.messages, grammar, id);
  language = id;
  page.lang = id;
}

const first = page.dataset.words.split(" "); // of this page, see `web/page.py`; `core/before-drawing.js` has asked for them already

/** Settles once the page may be drawn. If the words of its language cannot be loaded, it is in English. */
export const ready = inTurn(() => use(page.lang, first)).catch(() => inTurn(() => use("en", first)));
