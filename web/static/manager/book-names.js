// What players are called in the books, for a manager: two spellings become one player, or somebody is not named.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { LONGEST_NAME, confirmation, field, form, refusal } from "./form.js";

/** Its part of a page's store: the name as typed, null until something is, and the other names of GET /names. */
export const BOOK_NAMES = { wanted: null, names: null, sure: null }; // sure: the name that is to be confirmed

/** A manager's card on the page of the player `name`. */
export function nameDesk(value, store, desk, name) {
  const { sure } = value;
  return h(
    "details",
    { class: "card folded", key: "name-desk", "data-item": "name" },
    h("summary", {}, h("h2", {}, word.lobby.bookName)),
    sure === null ? nameForm(value, store, name) : sureOf(value, store, desk, name),
    refusal(value, "name"),
  );
}

function nameForm({ wanted, busy }, store, name) {
  const typed = wanted === null ? name : wanted;
  return form(
    "name",
    () => store.change({ sure: typed.trim() }),
    field("wanted", word.lobby.bookNameOf(name), h("input", { type: "text", value: typed, maxlength: LONGEST_NAME, autocomplete: "off", spellcheck: "false", "data-item": "wanted", on: { input: ({ target }) => store.change({ wanted: target.value }) } }), word.lobby.bookNameHint),
    h("button", { class: "plain", type: "submit", disabled: busy || typed.trim() === name, "data-item": "save-name" }, typed.trim() ? word.lobby.saveName : word.lobby.noName),
  );
}

function sureOf({ sure, busy }, store, desk, name) {
  const save = async () => {
    if (await desk.post("name", "names", { name, wanted: sure })) location.href = sure ? `/player?name=${encodeURIComponent(sure)}` : "/#ranking";
    else store.change({ sure: null });
  };
  return confirmation(
    sure ? word.lobby.sureOfName(name, sure) : word.lobby.sureOfNone(name),
    { leave: () => store.change({ sure: null }), no: { "data-item": "keep-name" } },
    { act: save, yes: { "data-item": "sure-of-name", disabled: busy }, title: sure ? word.lobby.saveName : word.lobby.noName },
  );
}

/** A manager's card below the ranking: the other names, each to be taken back; nothing without any. */
export function nameList(value, store, desk) {
  const { names, busy } = value;
  const others = Object.entries(names || {});
  if (!others.length) return null;
  const undo = async (name) => {
    const answer = await desk.post("names", "names", { name, wanted: name });
    if (answer) store.change(answer);
  };
  const line = ([name, wanted]) =>
    h(
      "li",
      { key: name, "data-other-name": name },
      h("span", {}, h("bdi", {}, name), " → ", wanted ? h("bdi", { key: "to" }, wanted) : h("em", { key: "none" }, word.lobby.unnamed)),
      button("plain small", () => undo(name), { key: "undo", disabled: busy, "aria-label": word.lobby.undoesName(name) }, word.lobby.undoName),
    );
  return h("section", { class: "card", key: "names" }, h("h2", {}, word.lobby.otherNames), h("ul", { class: "leavers" }, others.map(line)), refusal(value, "names"));
}
