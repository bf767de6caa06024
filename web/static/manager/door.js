// Who runs the tournaments: a link, which asks for the club's code.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { field, form, refusal, takeFocus } from "./form.js";

/** Its part of a page's store. */
export const MANAGER = { code: null }; // the code as typed; null until it is asked for

/** The link or the form; nothing for who is a manager already. */
export function managerDoor(value, store, desk) {
  const { club, code, busy } = value;
  if (!club || club.manager) return null;
  if (code === null) return h("p", { class: "door", key: "door" }, button("plain quietly", () => store.change({ code: "" }), { "data-item": "manage" }, word.tournaments.manage));
  const enter = async () => {
    const answer = await desk.post("code", "manage", { code: store.get().code.trim() });
    if (answer) store.change({ club: answer, code: null });
  };
  return h(
    "section",
    { class: "card door", key: "code" },
    form(
      "code",
      enter,
      field("code", word.tournaments.code, h("input", { type: "text", inputmode: "numeric", autocomplete: "off", required: true, maxlength: 64, value: code, "data-item": "code", mount: takeFocus(), on: { input: ({ target }) => store.change({ code: target.value }) } }), word.tournaments.codeHint),
      refusal(value, "code"),
      h("button", { class: "go", type: "submit", disabled: busy, "data-item": "enter-code" }, word.tournaments.enterCode),
    ),
  );
}
