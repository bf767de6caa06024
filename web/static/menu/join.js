// Joining: a large keypad for the table's four digits; and the QR code for other phones.

import { button, h } from "../core/dom.js";
import { say, textOf } from "../languages/language.js";

const LENGTH = 4; // digits of a code

/** Join with `code`. If it is refused, the keypad says why and how long to wait. */
export async function enter({ store, ask }, code) {
  const { ok, said, wait } = await ask("join", { code });
  const { sheet } = store.get();
  const { back = null, then = null } = sheet && sheet.kind === "join" ? sheet : { back: sheet };
  if (ok && navigator.cookieEnabled) {
    store.change({ sheet: back });
    if (then) then();
    return;
  }
  const until = wait ? Date.now() + wait * 1000 : 0;
  store.change({ sheet: { kind: "join", digits: "", said: ok ? say.joinWithoutCookies : textOf(said) || say.refused, until, back, then } });
  if (until) count(store, until);
}

// Redraws the remaining seconds.
function count(store, until) {
  setTimeout(() => {
    const { sheet } = store.get();
    if (!sheet || sheet.kind !== "join" || sheet.until !== until) return;
    store.change({ sheet: { ...sheet, ...(Date.now() < until ? {} : { until: 0, said: "" }) } });
    if (Date.now() < until) count(store, until);
  }, 500);
}

/** The keypad: [title, content]. */
export function joinSheet(ctx, sheet) {
  const { store } = ctx;
  const { digits = "", said = "", until = 0 } = sheet;
  const now = () => store.get().sheet || sheet;
  const busy = store.get().busy === "join";
  const left = Math.ceil((until - Date.now()) / 1000);
  const type = (digit) => {
    const { digits: before = "", until: wait = 0 } = now();
    if (before.length >= LENGTH || wait > Date.now()) return;
    store.change({ sheet: { ...now(), digits: before + digit, said: "" } });
    if (before.length + 1 === LENGTH) enter(ctx, before + digit);
  };
  const rub = () => {
    if (store.get().busy !== "join") store.change({ sheet: { ...now(), digits: (now().digits || "").slice(0, -1), said: "" } });
  };
  // Digits typed on a keyboard count as tapped, wherever the focus is.
  const typed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^\d$/.test(event.key)) type(event.key);
    else if (event.key === "Backspace") rub();
  };
  const off = left > 0 || busy ? "true" : null;
  return [
    say.joinTable,
    h(
      "div",
      {
        class: "asked joining",
        mount: (element) => {
          element._typed = typed;
          document.addEventListener("keydown", typed);
        },
        unmount: (element) => document.removeEventListener("keydown", element._typed),
      },
      // One place for all messages, so that no key moves under the thumb.
      h(
        "div",
        { class: "joinsays", key: "says" },
        !said && h("p", { class: "quiet", key: "hint" }, say.joinHint),
        h("p", { class: "joinsaid", key: "said", role: "alert" }, said),
        left > 0 && h("p", { class: "joinwait", key: "wait" }, say.waitSeconds(left)),
      ),
      h(
        "p",
        { class: `digits${said ? " wrong" : ""}${busy ? " sending" : ""}`, role: "img", "aria-label": say.digitsTyped(digits.length) },
        Array.from({ length: LENGTH }, (_, n) => h("span", { class: `digit${n === digits.length ? " next" : ""}`, key: n }, digits[n] || "")),
      ),
      h(
        "div",
        { class: "keypad", role: "group", "aria-label": say.digits },
        ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((digit) => keypadButton(digit, type, off)),
        h("span", { key: "gap" }),
        keypadButton("0", type, off),
        button("plain rub", rub, { key: "rub", "aria-label": say.rub }, "⌫"),
      ),
    ),
  ];
}

const keypadButton = (digit, type, off) =>
  button("plain key", () => type(digit), { key: digit, "data-digit": digit, "aria-disabled": off }, digit);

/** How others join: [title, content]. */
export function inviteSheet({ store }) {
  const { me } = store.get();
  const code = me && me.code;
  return [
    say.joinOthers,
    h(
      "div",
      { class: "asked others" },
      h("p", { class: "quiet" }, say.joinOthersHint),
      h("img", { class: "qr", key: "qr", alt: say.qr, width: 260, height: 260, src: `/api/v1/qr.svg${code ? "?code=1" : ""}` }),
      h("ul", { class: "addresses", "aria-label": say.addresses }, ((me && me.addresses) || []).map((address) => h("li", { key: address, dir: "ltr" }, address.replace(/\/$/, "")))),
      code && h("p", { class: "code" }, h("span", { class: "label" }, say.code), " ", h("strong", { dir: "ltr" }, code)),
    ),
  ];
}
