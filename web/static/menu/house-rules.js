// The rules of a new game: a book, house rules with a name, or a book and what is changed in it.

import { button, h } from "../core/dom.js";
import { say, textOf } from "../languages/language.js";

/** A list to choose from. */
export function select(label, value, options, onChange) {
  return h(
    "select",
    { "aria-label": label, value, on: { change: (event) => onChange(event.target.value) } },
    options.map(([id, text]) => h("option", { key: id, value: id }, text)),
  );
}

const bookOf = (choices, id) => choices.rulesets.find((book) => book.id === id);

/** The part of the form that a book decides. */
export function asBook(choices, id) {
  const book = bookOf(choices, id);
  const starter = book.roll ? "roll" : "random";
  return { ruleset: id, values: book.values, rulesName: "", calza: true, openLost: choices.open_lost, starter };
}

/** The same for the rules of an earlier game: of the state, its company or with a name among the choices. */
export function asPlayed(choices, { ruleset, rules, name, calza, open_lost: openLost, roll }) {
  const changed = Array.isArray(rules) ? Object.fromEntries(rules.map(({ rule, value }) => [rule, value])) : rules;
  const values = { ...bookOf(choices, ruleset).written, ...changed };
  return { ruleset, values, rulesName: name || "", calza, openLost, starter: roll ? "roll" : "random" };
}

/** The house rules of the form: rule -> value. */
export function houseRules(choices, { ruleset, values }) {
  const { written } = bookOf(choices, ruleset);
  return Object.fromEntries(Object.entries(values).filter(([rule, value]) => value !== written[rule]));
}

const inWords = (rule, value) => textOf(rule.values.find((each) => each.value === value));

// What is not as in the book, in a few words each.
function differences(choices, form) {
  const book = bookOf(choices, form.ruleset);
  const changed = houseRules(choices, form);
  const openers = { roll: say.rollFor, random: say.random };
  const asWritten = form.starter === (book.roll ? "roll" : "random");
  return [
    ...choices.rules.filter(({ rule }) => rule in changed).map((each) => say.pair(textOf(each.label), inWords(each, changed[each.rule]))),
    ...(asWritten || !openers[form.starter] ? [] : [openers[form.starter]]),
    ...(form.calza ? [] : [say.noCalza]),
    ...(form.openLost === book.open_lost ? [] : [form.openLost ? say.openLost : say.hiddenLost]),
  ];
}

const NAMED = "named ";

/** The choice of a book or of house rules with a name, and what differs from the book. */
export function rulesChoice(choices, form, change) {
  const named = choices.named.find((each) => each.name === form.rulesName);
  const options = [
    ...choices.named.map(({ name }) => [NAMED + name, name]),
    ...choices.rulesets.map(({ id, name }) => [id, textOf(name)]),
  ];
  const choose = (id) => {
    const own = id.startsWith(NAMED) && choices.named.find(({ name }) => NAMED + name === id);
    change(own ? asPlayed(choices, own) : asBook(choices, id));
  };
  const book = bookOf(choices, form.ruleset);
  const others = differences(choices, form);
  return [
    h("label", { class: "field", key: "book" }, h("span", {}, say.rules), select(say.rules, named ? NAMED + named.name : form.ruleset, options, choose)),
    h("p", { class: "quiet", key: "difference" }, textOf(book.difference), " ", h("small", {}, textOf(book))),
    h(
      "label",
      { class: "field check", key: "lost" },
      h("input", { type: "checkbox", checked: !form.openLost, on: { change: ({ target }) => change({ openLost: !target.checked }) } }),
      h("span", {}, say.hideLost),
    ),
    others.length > 0 && h("p", { class: "quiet asbook", key: "asbook" }, say.notAsBook(others.join("; "))),
  ];
}

/** A button that shows a field for every rule. */
export const houseRulesOf = (choices, form, change) => [
  button("plain", () => change({ house: !form.house }), { key: "house", "data-item": "house", "aria-expanded": String(Boolean(form.house)) }, say.houseRules),
  form.house && h("div", { class: "houserules", key: "houserules" }, choices.rules.map((rule) => ruleField(rule, form, change)), nameField(form, change)),
];

function ruleField(rule, form, change) {
  const options = rule.values.map((each) => [String(each.value), textOf(each)]);
  const put = (text) => change({ values: { ...form.values, [rule.rule]: rule.values.find((each) => String(each.value) === text).value } });
  return h(
    "label",
    { class: "field", key: rule.rule },
    h("span", {}, textOf(rule.label)),
    select(textOf(rule.label), String(form.values[rule.rule]), options, put),
    h("small", { class: "quiet" }, textOf(rule.example)),
  );
}

function nameField(form, change) {
  return h(
    "label",
    { class: "field", key: "rulesname" },
    h("span", {}, say.rulesName),
    h("input", { type: "text", maxlength: 24, dir: "auto", value: form.rulesName, on: { input: (event) => change({ rulesName: event.target.value }) } }),
    h("small", { class: "quiet" }, say.rulesNameHint),
  );
}
