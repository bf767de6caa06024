// The page that the address of an invitation leads to. It does not use the invitation up, and what follows the # goes nowhere
// but into the link to the table's box.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { openPage } from "./club.js";

const WHOLE = /^https?:\/\/[^/?#]+\/join\/[0-9a-f]{8}#[0-9a-f]{32}$/;
const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i;
const FIRST = "perudo"; // the name of a box to which nobody has given another

const { store } = openPage({ own: { box: FIRST, copied: null }, title: () => word.lobby.invitation, view });

// A bare name is one of the local network.
function boxHost(typed) {
  const host = typed.trim().replace(/^https?:\/\//, "").replace(/\/.*$/, "");
  if (!HOST.test(host)) return "";
  return /[.:]/.test(host) || host === "localhost" ? host : `${host}.local`;
}

function view({ club, box, copied }) {
  const address = location.href;
  return [
    h("h1", { key: "title" }, word.lobby.invitation),
    WHOLE.test(address) ? [lead(club), toBox(address, box), byHand(address, copied)] : [lead(club), h("p", { class: "card problem", key: "part", role: "alert" }, word.lobby.notWhole)],
  ];
}

const lead = (club) => h("p", { class: "lead", key: "lead" }, h("bdi", {}, word.lobby.invites(club ? club.title : word.lobby.title)));

function toBox(address, box) {
  const host = boxHost(box);
  return h(
    "section",
    { class: "card", key: "box" },
    h("p", {}, word.lobby.openOnBox),
    h("label", { class: "field" }, h("span", {}, word.lobby.boxName), h("input", { type: "text", value: box, autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 80, on: { input: ({ target }) => store.change({ box: target.value }) } })),
    host ? h("a", { class: "go", key: "open", href: `http://${host}/box#club=${address}` }, h("bdi", {}, word.lobby.open(host))) : h("p", { class: "problem", key: "bad", role: "status" }, word.lobby.badBox),
  );
}

function byHand(address, copied) {
  return h(
    "section",
    { class: "card", key: "copy" },
    h("label", { class: "field" }, h("span", {}, word.lobby.orCopy), h("textarea", { class: "address", readonly: true, rows: 3, value: address, on: { focus: ({ target }) => target.select() } })),
    button("plain", copy, { "data-item": "copy" }, word.lobby.copy),
    h("p", { class: "quiet", role: "status" }, copied === null ? "" : copied ? word.lobby.copied : word.lobby.notCopied),
  );
}

// On plain http a page has no `navigator.clipboard`.
function copy() {
  document.querySelector(".address").select();
  store.change({ copied: document.execCommand("copy") });
}

window.addEventListener("hashchange", () => store.change({}));
