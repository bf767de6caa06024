import assert from "node:assert/strict";
import { test } from "node:test";

import { wordsOf } from "../../web/static/languages/sentences.js";

const forms = { of: (name) => (/^[AEIOU]/.test(name) ? `d'${name}` : `de ${name}`), by: (n, m) => n * m };
const dice = "{n, plural, =0 {no dice} one {a die} other {{n} dice}}";
const lamp = "{name}: {what, select, on {lit} none {unknown} other {{what}}}";
const hebrew = "\u05d0\u05e0\u05d4";

for (const [language, key, text, given, said] of [
  ["en", "bids(name, n)", "{n} by {name}", ["Ana", 3], "3 by Ana"],
  ["en", "all(names)", "Only {names}.", [["Ana", "Ben"]], "Only Ana, Ben."],
  ["en", "all(names)", "Only {names}.", [[hebrew, "Ben"]], `Only \u2068${hebrew}\u2069, Ben.`],
  ["fr", "dice(name)", "les dés {name:of}", ["Ana"], "les dés d'Ana"],
  ["en", "twice(n, m)", "{n:by:m}", [2, 4], "8"],
  ["en", "of(strength)", "({strength:lower})", ["Easy"], "(easy)"],
  ["en", "dice(n)", dice, [0], "no dice"],
  ["en", "dice(n)", dice, [1], "a die"],
  ["en", "dice(n)", dice, [2], "2 dice"],
  ["fr", "n(n)", "{n, plural, one {dé} other {dés}}", [0], "dé"],
  ["nl", "n(n)", "{n, plural, one {steen} other {stenen}}", [0], "stenen"],
  ["en", "who(names)", "{names, plural, one {plays} other {play}}", [["Ana", "Ben"]], "play"],
  ["en", "lamp(name, what)", lamp, ["Ana", "on"], "Ana: lit"],
  ["en", "lamp(name, what)", lamp, ["Ana", "blinks"], "Ana: blinks"],
  ["en", "lamp(name, what)", lamp, ["Ana", null], "Ana: unknown"],
  ["en", "lamp(name, what)", lamp, ["Ana", ""], "Ana: unknown"],
  ["en", "lamp(name, what)", lamp, ["Ana", false], "Ana: unknown"],
]) {
  test(`${language}: ${text} of ${JSON.stringify(given)}`, () => {
    assert.equal(wordsOf({ [key]: text }, { forms }, language)[key.split("(")[0]](...given), said);
  });
}
