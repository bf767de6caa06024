// The page that the address of an invitation leads to. It does not use the invitation up, and what follows the # goes nowhere
// but into the link to the table's box.

import { button, h } from "../core/dom.js";
import { lobbyWord } from "../languages/lobby.js";
import { openPage } from "./club.js";

const WHOLE = /^https?:\/\/[^/?#]+\/join\/[0-9a-f]{8}#[0-9a-f]{32}$/;
const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i;
const FIRST = "perudo"; // the name of a box to which nobody has given another

const { store } = openPage({ own: { box: FIRST, copied: null }, title: () => lobbyWord.invitation, view });

// A bare name is one of the local network.
function boxHost(typed) {
  const host = typed.trim().replace(/^https?:\/\//, "").replace(/\/.*$/, "");
  if (!HOST.test(host)) return "";
  return /[.:]/.test(host) || host === "localhost" ? host : `${host}.local`;
}

function view({ club, box, copied }) {
  const address = location.href;
  return [
    h("h1", { key: "title" }, lobbyWord.invitation),
    WHOLE.test(address) ? [lead(club), toBox(address, box), byHand(address, copied)] : [lead(club), h("p", { class: "card problem", key: "part", role: "alert" }, lobbyWord.notWhole)],
  ];
}

const lead = (club) => h("p", { class: "lead", key: "lead" }, h("bdi", {}, lobbyWord.invites(club ? club.title : lobbyWord.title)));

function toBox(address, box) {
  const host = boxHost(box);
  return h(
    "section",
    { class: "card", key: "box" },
    h("p", {}, lobbyWord.openOnBox),
    h("label", { class: "field" }, h("span", {}, lobbyWord.boxName), h("input", { type: "text", value: box, autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 80, on: { input: ({ target }) => store.change({ box: target.value }) } })),
    host ? h("a", { class: "go", key: "open", href: `http://${host}/box#club=${address}` }, h("bdi", {}, lobbyWord.open(host))) : h("p", { class: "problem", key: "bad", role: "status" }, lobbyWord.badBox),
  );
}

function byHand(address, copied) {
  return h(
    "section",
    { class: "card", key: "copy" },
    h("label", { class: "field" }, h("span", {}, lobbyWord.orCopy), h("textarea", { class: "address", readonly: true, rows: 3, value: address, on: { focus: ({ target }) => target.select() } })),
    button("plain", copy, { "data-item": "copy" }, lobbyWord.copy),
    h("p", { class: "quiet", role: "status" }, copied === null ? "" : copied ? lobbyWord.copied : lobbyWord.notCopied),
  );
}

// On plain http a page has no `navigator.clipboard`.
function copy() {
  document.querySelector(".address").select();
  store.change({ copied: document.execCommand("copy") });
}

window.addEventListener("hashchange", () => store.change({}));
