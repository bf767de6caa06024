// Who plays.

import { h } from "../core/dom.js";
import { language, word } from "../languages/language.js";

/** Names as people look for them. */
export const inOrder = (names) => [...names].sort((a, b) => a.localeCompare(b, language, { numeric: true }));

/** Everybody, for who only watches. */
export const entrantList = ({ entrants }) => {
  const here = inOrder(Object.keys(entrants).filter((name) => entrants[name]));
  return h("section", { class: "card", key: "who" }, h("h2", {}, word.tournaments.who), h("ul", { class: "everybody" }, here.map((name) => h("li", { key: name }, h("bdi", {}, name)))));
};
