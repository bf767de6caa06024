// Whether the box is well, in words, and what its host can do about it.

import { button, h } from "../core/dom.js";
import { textOf, word } from "../languages/language.js";
import { read, save } from "./read.js";

const SOON = 3000; // ms until what was mended is looked at again
const ANEW = 5000; // ms in which a program that no service starts is there again
const GRAVE = ["bad", "poor"]; // to be seen to, the worse first
const FILE = "perudo-report.zip";

let asked = false; // whether this page has asked since the box was last out of reach

/** The section of the page. */
export function healthPart(ctx) {
  const { host, store } = ctx;
  const { line, health } = store.get();
  if (line === false) asked = false; // it may have been started anew
  else if (host && !asked) {
    asked = true;
    setTimeout(() => look(store)); // not while the page is drawn
  }
  if (!host) return null;
  return h("section", { class: "card health", key: "health" }, h("h2", {}, word.box.health), inside(ctx, health || {}));
}

async function look(store) {
  store.change({ health: { ...store.get().health, looking: true } });
  const { got, failed } = await read("health");
  store.change({ health: { ...got, failed, reporting: (store.get().health || {}).reporting } });
}

function inside(ctx, { findings, failed, looking, reporting }) {
  const { store } = ctx;
  if (failed) return [h("p", { class: "quiet", role: "alert" }, failed), again(store)];
  if (!findings) return h("p", { class: "quiet connecting" }, word.box.looking);
  const others = findings.filter(({ severity }) => !GRAVE.includes(severity));
  const troubles = GRAVE.flatMap((severity) => findings.filter((each) => each.severity === severity));
  return [
    h(
      "div",
      { role: "status", key: "found" },
      troubles.length ? null : h("p", { class: "well" }, h("span", { class: "mark", "aria-hidden": "true" }, "✓"), word.box.allWell),
      h("ul", { class: "findings" }, troubles.map((each, n) => trouble(ctx, each, n))),
    ),
    h(
      "details",
      { key: "all" },
      h("summary", {}, word.box.lookedAt),
      h("dl", { class: "looked" }, others.map((each, n) => h("div", { key: n }, h("dt", {}, partName(each)), h("dd", {}, textOf(each))))),
    ),
    h(
      "div",
      { class: "row", key: "do" },
      again(store, looking),
      button("plain report", () => report(ctx), { disabled: Boolean(reporting) }, reporting ? word.box.reporting : word.box.report),
      button("plain restart", () => store.change({ sheet: { kind: "anew", path: "restart" } }), {}, word.box.restart),
    ),
  ];
}

const partName = ({ part }) => word.box.parts[part] || part;

const again = (store, looking = false) =>
  button("plain lookagain", () => look(store), { key: "again", disabled: looking }, looking ? word.box.looking : word.box.lookAgain);

function trouble(ctx, finding, n) {
  const { severity, mend } = finding;
  return h(
    "li",
    { class: severity, key: n },
    h("h3", {}, partName(finding)),
    h("p", {}, textOf(finding)),
    mend && button("go mend", () => doMend(ctx, mend), {}, word.box.mends[mend]),
  );
}

async function doMend({ act, store, toast }, mend) {
  if (mend === "journal") {
    store.change({ sheet: { kind: "anew", path: "repair" } });
    return;
  }
  if (!(await act(mend))) return;
  toast(word.box.cameraLooked);
  setTimeout(() => look(store), SOON);
}

async function report({ store, toast }) {
  store.change({ health: { ...store.get().health, reporting: true } });
  const { got, failed } = await read("bundle.zip", { blob: true });
  store.change({ health: { ...store.get().health, reporting: false } });
  if (got) save(got, FILE);
  else toast(failed, "refused");
}

/** The sheet that is asked before the program starts anew: its title and content. */
export function anewSheet({ act, store, toast }, { path }, close) {
  const go = async () => {
    close();
    if (!(await act(path))) return;
    toast(word.box.startsAnew);
    setTimeout(() => store.get().line && look(store), ANEW); // if it is away then, it is looked at when it is back
  };
  const title = path === "repair" ? word.box.mends.journal : word.box.restart;
  return [
    title,
    h("div", { class: "anew" }, path === "repair" && h("p", {}, word.box.repairHint), h("p", {}, word.box.restartHint), button("go", go, {}, title)),
  ];
}
