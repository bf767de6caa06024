// An invitation for a table, as a QR code and as an address to copy.

import { button, h } from "../core/dom.js";
import { lobbyWord, tournamentWord } from "../languages/lobby.js";
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
    invitation && h("p", { key: "hint" }, tournamentWord.inviteHint),
    invitation && LOCAL.test(location.hostname) && h("p", { class: "problem", key: "local" }, tournamentWord.onlyHere),
    invitation && h("img", { key: "qr", class: "qr", alt: tournamentWord.qr, src: `data:image/svg+xml,${encodeURIComponent(invitation.qr)}` }),
    invitation && h("label", { class: "field", key: "address" }, h("span", {}, tournamentWord.address), h("textarea", { class: "address", readonly: true, rows: 3, value: invitation.address, on: { focus: ({ target }) => target.select() } })),
    invitation && button("plain", () => copy(store), { key: "copy", "data-item": "copy" }, lobbyWord.copy),
    invitation && h("p", { class: "quiet", key: "copied", role: "status" }, copied === null ? "" : copied ? lobbyWord.copied : lobbyWord.notCopied),
    refusal(value, "invite"),
    button("plain", invite, { key: "invite", disabled: busy, "data-item": "invite" }, invitation ? tournamentWord.another : tournamentWord.invite),
  );
}

// On plain http a page has no `navigator.clipboard`.
function copy(store) {
  document.querySelector(".invite .address").select();
  store.change({ copied: document.execCommand("copy") });
}
