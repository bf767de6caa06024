// Who plays: names to add, early or late, and who goes home. A name that was not drawn yet can be taken out again.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { LONGEST_NAME, field, form, refusal } from "../manager/form.js";
import { inOrder } from "./entrant-list.js";
import { drawnAt } from "./result.js";

/** Its part of a page's store: the names as typed. */
export const ENTRANTS = { typed: "" };

/** The names in a text, one a line or separated by commas. */
export const namesIn = (text) => [...new Set(text.split(/[\n,;]+/).map((name) => name.replace(/\s+/g, " ").trim()).filter(Boolean))];

/** A manager's card. */
export function entrantDesk(value, store, send) {
  const { tournament, typed, busy } = value;
  const { entrants, closed, rounds } = tournament;
  const drawn = new Set(rounds.flatMap(({ tables }) => tables.flatMap(drawnAt)));
  const names = inOrder(Object.keys(entrants));
  const add = async () => {
    const wanted = namesIn(store.get().typed);
    const long = wanted.find((name) => [...name].length > LONGEST_NAME);
    if (long) store.change({ refused: { where: "names", text: word.tournaments.tooLong(long, LONGEST_NAME) } });
    else if (wanted.length && (await send("names", "join", { names: wanted }))) store.change({ typed: "" });
  };
  const adding = form(
    "add",
    add,
    field("names", word.tournaments.names, h("textarea", { class: "names", rows: 4, value: typed, autocapitalize: "words", autocomplete: "off", spellcheck: "false", "data-item": "names", on: { input: ({ target }) => store.change({ typed: target.value }) } }), word.tournaments.namesHint),
    refusal(value, "names"),
    h("button", { class: rounds.length || names.length > 3 ? "plain" : "go", type: "submit", disabled: busy || !namesIn(typed).length, "data-item": "add" }, word.tournaments.add),
  );
  const here = names.filter((name) => entrants[name]).length;
  const act = (name, key, path, said, text) => button("plain small", () => send("leave", path, { name }), { key, disabled: busy, "aria-label": said(name) }, text);
  const change = (name) => {
    if (!entrants[name]) return act(name, "back", "return", word.tournaments.isBack, word.tournaments.back);
    if (!drawn.has(name)) return act(name, "out", "join/back", word.tournaments.takesOut, word.tournaments.remove);
    return act(name, "leave", "leave", word.tournaments.leaves, word.tournaments.leave);
  };
  const line = (name) => h("li", { key: name, class: entrants[name] ? "" : "has-left", "data-entrant": name }, h("bdi", {}, name), change(name));
  return h(
    "details",
    { class: "card folded", key: "entrants", open: rounds.length === 0, "data-item": "entrants" },
    h("summary", {}, h("h2", {}, word.tournaments.entrants(here))),
    !closed && adding,
    refusal(value, "leave"),
    names.length > 0 && h("ul", { class: "leavers", key: "list" }, names.map(line)),
  );
}
