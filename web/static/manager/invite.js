// An invitation for a table, as a QR code and as an address to copy.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { refusal } from "./form.js";

/** Its part of a page's store. */
export const INVITE = { invitation: null, copied: null }; // the answer of POST /invitations; whether it was copied

const LOCAL = /^(localhost|127\.|\[::1\])/;

/** The button, and what it brings. */
export function tableInvitation(value, store, desk) {
  const { invitation, copied, busy } = value;
  const invite = async () => {
    const answer = await desk.post("invite", "invitations");
    if (answer) store.change({ invitation: answer, copied: null });
  };
  return h(
    "section",
    { class: "card invite", key: "invite" },
    invitation && h("p", { key: "hint" }, word.tournaments.inviteHint),
    invitation && LOCAL.test(location.hostname) && h("p", { class: "problem", key: "local" }, word.tournaments.onlyHere),
    invitation && h("img", { key: "qr", class: "qr", alt: word.tournaments.qr, src: `data:image/svg+xml,${encodeURIComponent(invitation.qr)}` }),
    invitation && h("label", { class: "field", key: "address" }, h("span", {}, word.tournaments.address), h("textarea", { class: "address", readonly: true, rows: 3, value: invitation.address, on: { focus: ({ target }) => target.select() } })),
    invitation && button("plain", () => copy(store), { key: "copy", "data-item": "copy" }, word.lobby.copy),
    invitation && h("p", { class: "quiet", key: "copied", role: "status" }, copied === null ? "" : copied ? word.lobby.copied : word.lobby.notCopied),
    refusal(value, "invite"),
    button("plain", invite, { key: "invite", disabled: busy, "data-item": "invite" }, invitation ? word.tournaments.another : word.tournaments.invite),
  );
}

// On plain http a page has no `navigator.clipboard`.
function copy(store) {
  document.querySelector(".invite .address").select();
  store.change({ copied: document.execCommand("copy") });
}
