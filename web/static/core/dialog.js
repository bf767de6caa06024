// Dialogs. A dialog keeps the focus until it closes, and then returns it.

import { button, h } from "./dom.js";
import { say } from "../languages/language.js";

const BEHIND = "#app > header, #app > main"; // without the announcements and the toasts
const TABBED = "button, input, select, textarea, summary, a[href], [tabindex='0']";

/** A dialog. `kind` names it; Esc, the cross and a tap beside it call `close`. */
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
let before = null; // what had the focus before the first of several dialogs

// Both run right after the render that called them and before the next key, not with the next frame, which may be late on a
// slow phone.
function opened(element) {
  if (!open) {
    before = document.activeElement;
    document.addEventListener("keydown", stray, true);
  }
  open = true;
  keepHistory();
  queueMicrotask(() => {
    if (!element.isConnected) return;
    element.focus({ preventScroll: true });
    for (const behind of document.querySelectorAll(BEHIND)) behind.setAttribute("inert", ""); // only now, because it takes the focus away
  });
}

function closed() {
  queueMicrotask(() => {
    if (document.querySelector(".sheet")) return; // another dialog has replaced it
    open = false;
    keepHistory();
    document.removeEventListener("keydown", stray, true);
    for (const behind of document.querySelectorAll(BEHIND)) behind.removeAttribute("inert");
    if (before && before !== document.body && before.isConnected) before.focus({ preventScroll: true });
    before = null;
  });
}

// Esc closes the sheet even if the element that had the focus in it is gone.
function stray(event) {
  const sheet = document.querySelector(".sheet");
  if (event.key !== "Escape" || !sheet || sheet.contains(event.target)) return;
  event.stopPropagation();
  escape(sheet);
}

const escape = (sheet) => sheet.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));

// Back closes an open sheet: while one is open, the history has one entry more, of the same page.
const onEntry = () => Boolean(history.state && history.state.sheet);
let leaving = false; // that entry, until the browser says so

function keepHistory() {
  if (leaving || open === onEntry()) return;
  if (open) {
    history.scrollRestoration = "manual"; // the page under the sheet stays where it is
    history.pushState({ sheet: true }, "");
    return;
  }
  leaving = true;
  history.back();
}

window.addEventListener("popstate", () => {
  const sheet = !leaving && !onEntry() && document.querySelector(".sheet");
  leaving = false;
  if (!onEntry()) history.scrollRestoration = "auto";
  if (sheet) escape(sheet);
  else keepHistory(); // Forward, to a sheet that is closed; or one that was opened meanwhile
});
keepHistory(); // the page was loaded anew under a sheet

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
