// Shown while there is no table: the page is looking for it, or the box is off. The page reconnects by itself.

import { button, h } from "../core/dom.js";
import { say } from "../languages/language.js";

const LONG = 6000; // ms of looking before the page says what may be wrong

/** The view in place of the table. `line` is false once the box did not answer, `lineSaid` is its refusal. */
export function offline(store, line, lineSaid) {
  if (line !== false && !store.get().long) {
    const patience = () => setTimeout(() => store.change({ long: true }), LONG);
    return h("p", { class: "quiet connecting", key: "connecting", mount: patience }, say.connecting);
  }
  return h(
    "section",
    { class: "rest off", key: "off", role: "alert" },
    h(
      "svg",
      { class: "cup", viewBox: "0 0 96 80", "aria-hidden": "true", focusable: "false" },
      h("path", { class: "cupbody", d: "M22 66 30 20a18 12 0 0 1 36 0l8 46z" }),
      h("path", { class: "cuprim", d: "M16 67h64" }),
      h("path", { class: "wave", d: "M80 30a14 14 0 0 1 0 20M16 30a14 14 0 0 0 0 20" }),
    ),
    h("h1", {}, lineSaid || say.boxOff),
    !lineSaid && h("p", {}, say.boxOffHint),
    h("p", { class: "waiting quiet" }, h("span", { class: "pulse" }), say.comesBack),
    button("plain", () => location.reload(), {}, say.tryAgain),
  );
}
