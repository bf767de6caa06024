// The box's Wi-Fi: which one it is on, and choosing another one.

import { button, h } from "../core/dom.js";
import { textOf, word } from "../languages/language.js";

const BARS = 4;

/** The section of the page. */
export function wifiPart(ctx) {
  const { now, host } = ctx;
  if (!now.wifi) return null;
  const wifiWord = word.box.wifi;
  const { phase, network, own, trouble } = now.wifi;
  const may = host || (phase === "own" && !now.playing);
  return h(
    "section",
    { class: "card wifi", key: "wifi", id: "wifi" },
    h("h2", {}, wifiWord.title),
    h("p", {}, phase === "joined" ? (network ? wifiWord.on(network) : wifiWord.cable) : phase === "own" ? wifiWord.own(own) : phase === "joining" ? wifiWord.joins(network) : wifiWord.none),
    phase === "own" && h("p", { class: "quiet" }, wifiWord.ownHint),
    trouble && h("p", { class: "problem", role: "alert" }, textOf(trouble)),
    may && phase !== "joining" && list(ctx),
    may && phase !== "joining" && button("plain otherwifi", () => ctx.store.change({ sheet: { kind: "joinwifi", name: "", secured: true, hidden: true, password: "" } }), { key: "other" }, wifiWord.other),
    host && phase === "joined" && button("plain ownwifi", () => ctx.store.change({ sheet: { kind: "ownwifi" } }), { key: "own" }, wifiWord.openOwn),
  );
}

function list({ now, store }) {
  const wifiWord = word.box.wifi;
  const shown = now.wifi.networks.filter(({ name }) => name !== now.wifi.network);
  if (!shown.length) return h("p", { class: "quiet", key: "looking" }, wifiWord.looking);
  return h(
    "ul",
    { class: "networks", key: "networks", "aria-label": wifiWord.networks },
    shown.slice(0, 12).map((network) =>
      h(
        "li",
        { key: network.name },
        button(
          "plain network",
          () => store.change({ sheet: { kind: "joinwifi", name: network.name, secured: network.secured && !network.known, password: "" } }),
          {},
          h("bdi", {}, network.name),
          h("span", { class: "quiet" }, network.known ? wifiWord.known : network.secured ? "" : wifiWord.open),
          bars(network.strength),
        ),
      ),
    ),
  );
}

function bars(strength) {
  const full = Math.max(1, Math.min(BARS, Math.ceil((strength * BARS) / 100)));
  return h(
    "span",
    { class: "bars", role: "img", "aria-label": word.box.wifi.strength(strength) },
    Array.from({ length: BARS }, (_, n) => h("span", { key: n, class: n < full ? "on" : "" })),
  );
}

/** The sheet in which the password is typed; and the name, of a network that does not say it (`hidden`). */
export function joinWifiSheet({ now, store, tryWifi }, sheet, close) {
  const wifiWord = word.box.wifi;
  const change = (more) => store.change({ sheet: { ...store.get().sheet, ...more } });
  const go = async () => {
    const { name, secured, password, hidden } = store.get().sheet;
    if (await tryWifi({ name, password: secured ? password : "", ...(hidden && { hidden }) })) close();
  };
  const open = sheet.hidden ? !sheet.password : !sheet.secured;
  const ready = sheet.name && (open || sheet.password.length >= 8);
  return [
    sheet.hidden ? wifiWord.other : wifiWord.join(sheet.name),
    h(
      "div",
      { class: "asked" },
      sheet.hidden &&
        h(
          "label",
          { class: "field" },
          h("span", {}, wifiWord.otherName),
          h("input", { type: "text", value: sheet.name, maxlength: 32, autocapitalize: "none", autocomplete: "off", spellcheck: "false", on: { input: ({ target }) => change({ name: target.value }) } }),
        ),
      sheet.secured &&
        h(
          "label",
          { class: "field" },
          h("span", {}, wifiWord.password),
          h("input", { type: sheet.shown ? "text" : "password", value: sheet.password, maxlength: 63, autocapitalize: "none", autocomplete: "off", spellcheck: "false", on: { input: ({ target }) => change({ password: target.value }) } }),
        ),
      sheet.secured &&
        h("label", { class: "field check" }, h("input", { type: "checkbox", checked: Boolean(sheet.shown), on: { change: ({ target }) => change({ shown: target.checked }) } }), h("span", {}, wifiWord.showPassword)),
      sheet.hidden && h("p", { class: "quiet" }, wifiWord.noPassword),
      now.wifi.phase === "own" && h("p", { class: "quiet" }, wifiWord.leaves(now.name)),
      button("go", go, { disabled: ready ? null : true }, wifiWord.joinIt),
    ),
  ];
}

/** The sheet before the box's own network is opened. */
export function ownWifiSheet({ now, act }, _, close) {
  const wifiWord = word.box.wifi;
  const open = async () => {
    if (await act("wifi/own")) close();
  };
  return [wifiWord.openOwn, h("div", { class: "asked" }, h("p", {}, wifiWord.openOwnHint(now.wifi.own)), button("go", open, {}, wifiWord.openOwn))];
}
