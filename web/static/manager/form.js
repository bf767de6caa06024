// Parts of a manager's forms.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";

/** Of a player, in characters. */
export const LONGEST_NAME = 24;

/** Why the last request of the form `where` was refused. */
export const refusal = ({ refused }, where) => h("p", { class: "problem", key: "refused", role: "alert" }, refused && refused.where === where ? h("bdi", {}, refused.text) : "");

/** A labelled control, with a hint below. */
export const field = (key, title, control, hint) => h("label", { class: "field", key }, h("span", {}, title), control, hint && h("small", { class: "quiet" }, hint));

/** A choice: `options` are [value, text]. */
export const choice = (props, value, options) => h("select", { ...props, value: String(value) }, options.map(([id, text]) => h("option", { key: id, value: String(id) }, text)));

/** A form of its own: Enter sends it. */
export const form = (key, send, ...children) =>
  h("form", { key, class: "form", on: { submit: (event) => (event.preventDefault(), send()) } }, children);

/** For `mount`: gives the focus to the element, or to the first in it that matches `selector`. */
export const takeFocus = (selector) => (element) =>
  queueMicrotask(() => (selector ? element.querySelector(selector) : element).focus({ preventScroll: true }));

/** Asks before something is done. `no` and `yes`: the properties of the buttons; the first leaves all as it is. `more` is chosen before. */
export const confirmation = (text, { leave, no }, { act, look = "go", yes, title }, more = null) =>
  h(
    "div",
    { class: "sure", key: "sure", mount: takeFocus("button") },
    h("p", { role: "status" }, h("bdi", {}, text)),
    more,
    h("div", { class: "row" }, button("plain", leave, { key: "no", ...no }, word.tournaments.cancel), button(look, act, { key: "yes", ...yes }, title)),
  );
