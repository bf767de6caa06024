// What opens over the page: it holds the keyboard until it closes, and then gives it back to where it was.

import { button, h } from "./dom.js";
import { say } from "../languages/language.js";

const BEHIND = "#app > header, #app > main"; // not what is only said aloud, nor the toasts
const TABBED = "button, input, select, textarea, summary, a[href], [tabindex='0']";

/** A dialog. `kind` names it, `close` is called by Esc, by the cross and by a tap beside it. */
export function dialog({ kind, title, close }, content) {
  return h(
    "div",
    { class: `veil for-${kind}`, key: "sheet", on: { click: (event) => event.target === event.currentTarget && close() } },
    h(
      "section",
      {
        class: `sheet for-${kind}`,
        key: kind,
        role: "dialog",
        "aria-modal": "true",
        "aria-label": title,
        tabindex: -1,
        mount: opened,
        unmount: closed,
        on: { keydown: (event) => keys(event, close) },
      },
      h("header", {}, h("h2", {}, title), button("icon close", close, { "aria-label": say.close }, "×")),
      content,
    ),
  );
}

let open = false;
let before = null; // what had the keyboard before the first of several dialogs

// Both as soon as the render that called them is through, and before the next key: a slow phone may take its time
// to draw the next frame, and what is pressed meanwhile is meant for what is seen.
function opened(element) {
  if (!open) {
    before = document.activeElement;
    document.addEventListener("keydown", stray, true);
  }
  open = true;
  queueMicrotask(() => {
    if (!element.isConnected) return;
    element.focus({ preventScroll: true });
    for (const behind of document.querySelectorAll(BEHIND)) behind.setAttribute("inert", ""); // not before: it takes the focus away
  });
}

function closed() {
  queueMicrotask(() => {
    if (document.querySelector(".sheet")) return; // another one took its place
    open = false;
    document.removeEventListener("keydown", stray, true);
    for (const behind of document.querySelectorAll(BEHIND)) behind.removeAttribute("inert");
    if (before && before !== document.body && before.isConnected) before.focus({ preventScroll: true });
    before = null;
  });
}

// Esc closes the sheet even where what had the keyboard in it has just gone.
function stray(event) {
  const sheet = document.querySelector(".sheet");
  if (event.key !== "Escape" || !sheet || sheet.contains(event.target)) return;
  event.stopPropagation();
  sheet.dispatchEvent(new KeyboardEvent("keydown", { key: event.key }));
}

function keys(event, close) {
  if (event.key === "Escape") {
    event.stopPropagation();
    close();
    return;
  }
  if (event.key !== "Tab") return;
  const able = (element) => !element.disabled && element.tabIndex >= 0 && element.getClientRects().length > 0;
  const inside = [...event.currentTarget.querySelectorAll(TABBED)].filter(able);
  const first = inside[0];
  const last = inside[inside.length - 1];
  const here = document.activeElement;
  if (event.shiftKey && (here === first || here === event.currentTarget)) {
    event.preventDefault();
    last.focus();
  } else if (!event.shiftKey && here === last) {
    event.preventDefault();
    first.focus();
  }
}
