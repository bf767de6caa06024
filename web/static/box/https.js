// Keeping the screen awake, which browsers do on pages over https: the box's own certificate, and how a device learns to trust it.

import { button, h } from "../core/dom.js";
import { word } from "../languages/language.js";

const CERTIFICATE = "/perudo-ca.crt";
const PATIENCE = 8000; // ms for the answer over https
const PRODUCTS = { ios: "iPhone, iPad", android: "Android", androidtv: "Android TV, Google TV", tv: "", windows: "Windows", mac: "Mac", linux: "Linux", chromebook: "Chromebook" };
const CANNOT = ["androidtv", "tv"]; // trust nobody whom their makers do not
const SIGNS = [ // of a browser's name, the first that fits
  ["ios", /iPhone|iPad|iPod/],
  ["tv", /Tizen|Web0S|webOS|NetCast|SMART-TV|SmartTV|HbbTV|Roku/],
  ["androidtv", /Android.*(TV|BRAVIA|AFT|Chromecast|SHIELD|MiBOX)|GoogleTV|CrKey/],
  ["android", /Android/],
  ["chromebook", /CrOS/],
  ["windows", /Windows/],
  ["mac", /Macintosh/],
];

/** The device whose browser calls itself `agent`; an iPad calls itself a Mac, but can be touched. */
export function deviceOf(agent, touches) {
  const [found = "linux"] = SIGNS.find(([, sign]) => sign.test(agent)) || [];
  return found === "mac" && touches > 1 ? "ios" : found;
}

/** The page's address over https: under the same name if the certificate has it. */
export function secureAddress({ names, port }, hostname) {
  const here = hostname.replace(/^\[|\]$/g, "");
  const host = names.includes(here) || !names.length ? here : names.find((name) => name.endsWith(".local")) || names[0];
  return `https://${host.includes(":") ? `[${host}]` : host}${port === 443 ? "" : `:${port}`}/`;
}

/** The section of the page. */
export function httpsPart({ now, store }) {
  if (!now.https || !word.https) return null;
  const httpsWord = word.https;
  return h(
    "section",
    { class: "card https", key: "https" },
    h("h2", {}, httpsWord.title),
    h("p", { class: "quiet" }, location.protocol === "https:" ? here(httpsWord) : httpsWord.hint),
    button("plain https", () => store.change({ sheet: { kind: "https", device: null, trusted: null } }), {}, httpsWord.show),
  );
}

const here = (httpsWord) => ("wakeLock" in navigator ? httpsWord.secure : httpsWord.noLock);

/** The sheet: its title and content. */
export function httpsSheet(ctx, sheet) {
  const httpsWord = word.https;
  const { https } = ctx.now;
  const content = https.fingerprint === null ? without(ctx) : https.port === null ? h("p", {}, httpsWord.closed) : guide(ctx, sheet);
  return [httpsWord.title, h("div", { class: "guide", key: https.fingerprint ? "guide" : "make" }, content)];
}

function without({ now, host, act, store }) {
  const httpsWord = word.https;
  if (!host) return h("p", {}, httpsWord.none);
  if (!now.https.openssl) return [h("p", {}, httpsWord.noOpenssl), h("p", {}, h("code", {}, "sudo apt install openssl"))];
  const busy = store.get().busy === "box/certificate";
  return [h("p", {}, httpsWord.makeHint), button("go make", () => act("certificate"), { disabled: busy || null }, httpsWord.make)];
}

function guide({ now, store }, sheet) {
  const httpsWord = word.https;
  const chosen = sheet.device || deviceOf(navigator.userAgent, navigator.maxTouchPoints);
  const change = (more) => store.change({ sheet: { ...store.get().sheet, ...more } });
  const steps = httpsWord.steps[chosen];
  return [
    h(
      "label",
      { key: "device" },
      httpsWord.device,
      h(
        "select",
        { value: chosen, on: { change: (event) => change({ device: event.target.value, trusted: null }) } },
        Object.keys(PRODUCTS).map((each) => h("option", { value: each, key: each, selected: each === chosen || null }, PRODUCTS[each] || httpsWord.tv)),
      ),
    ),
    h("ol", { key: chosen, class: CANNOT.includes(chosen) ? "advice" : "" }, steps.map((step, n) => h("li", { key: n }, step))),
    !CANNOT.includes(chosen) && [
      // On an iPhone Safari has to show the file itself; elsewhere it is kept as a file, which the settings look for.
      h("a", { key: "get", class: "plain get", href: CERTIFICATE, download: chosen === "ios" ? null : "perudo-ca.crt" }, httpsWord.get),
      h("p", { key: "compare", class: "quiet" }, httpsWord.compare, h("code", { class: "fingerprint" }, now.https.fingerprint)),
      trustView(now, sheet, change),
      h("a", { key: "open", class: "go open", href: secureAddress(now.https, location.hostname) }, httpsWord.open),
    ],
  ];
}

function trustView(now, { trusted }, change) {
  const httpsWord = word.https;
  const told = { true: httpsWord.trusted, false: httpsWord.untrusted, asked: httpsWord.checking }[trusted];
  const check = async () => {
    change({ trusted: "asked" });
    change({ trusted: await isTrusted(secureAddress(now.https, location.hostname)) });
  };
  return h("div", { key: "trust", class: "trust" }, button("plain check", check, {}, httpsWord.check), h("p", { role: "status" }, told || ""));
}

// A browser says of an address it does not trust only that it cannot be reached.
async function isTrusted(address) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE);
  try {
    await fetch(`${address}${CERTIFICATE.slice(1)}`, { mode: "no-cors", cache: "no-store", signal: abort.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
