// The words and messages that one page alone needs, beside those of the table.

import { createTranslator } from "./translator.js";
import { language, ready, textOf as textOfTable } from "./language.js";

/**
 * Loads them in the page's language. `modules`: language -> () => a promise of [the table's catalog, the page's own, more messages...].
 * `ready` settles to the words, undefined where they are English or cannot be loaded; `textOf` then knows the page's messages.
 */
export function loadPart(modules) {
  let tell = null;

  async function load() {
    await ready;
    if (language === "en") return undefined;
    const [table, own, ...more] = await modules[language]();
    tell = createTranslator(Object.assign({}, ...[table, own, ...more].map(({ messages }) => messages)), table.grammar);
    return own.words;
  }

  /** The text of anything that has a `sentence` or a `message`, in the page's language. */
  function textOf(thing) {
    if (!tell || !thing || !thing.said) return textOfTable(thing);
    try {
      return tell(thing.said);
    } catch (error) {
      console.error(error); // a message from a newer box
      return thing.sentence || thing.message || "";
    }
  }

  return { textOf, ready: load().catch(() => undefined) };
}
