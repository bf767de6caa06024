// New versions: what is in use, what is new, and what became of the last update.

import { button, h } from "../core/dom.js";
import { language, textOf, word } from "../languages/language.js";

const date = (made) => new Date(made).toLocaleDateString(language, { year: "numeric", month: "long", day: "numeric" });
const named = ({ version, made }) => `${version}, ${date(made)}`;

let asked = false; // a look when the host opens the page: the sentence below is then of today

/** The section of the page. */
export function updatePart(ctx) {
  const { now, host, act, store } = ctx;
  if (!now.update) return null;
  const updateWord = word.box.update;
  const { newer, before, last, working, trouble, looked, current } = now.update;
  if (host && !asked && !looked && !working) {
    asked = true;
    act("update/look", {});
  }
  const off = now.playing ? true : null;
  return h(
    "section",
    { class: "card update", key: "update" },
    h("h2", {}, updateWord.title),
    h("p", {}, working ? updateWord.working : newer ? updateWord.newer(named(newer)) : looked && !trouble ? updateWord.newest(named(current)) : updateWord.current(named(current))),
    working && h("p", { class: "quiet" }, updateWord.workingHint),
    !working && last && !last.passed && h("p", { class: "problem" }, updateWord.failed),
    !working && last && last.passed && h("p", { class: "quiet" }, updateWord.passed(date(last.at))),
    trouble && h("p", { class: "quiet" }, textOf(trouble)),
    newer && !working && newer.notes.length > 0 && h("details", { key: "notes" }, h("summary", {}, updateWord.notes), h("ul", { class: "notes", lang: "en" }, newer.notes.map((note, n) => h("li", { key: n }, note)))),
    host && !working && now.playing && (newer || before) && h("p", { class: "quiet" }, updateWord.notNow),
    host && !working && newer && button("go", () => act("update"), { key: "go", disabled: off }, updateWord.go),
    host && !working && !newer && button("plain", () => act("update/look"), { key: "look" }, updateWord.look),
    host && !working && before && button("plain goback", () => store.change({ sheet: { kind: "goback" } }), { key: "back", disabled: off }, updateWord.back),
  );
}

/** The sheet before the version before is taken again. */
export function goBackSheet({ now, act }, _, close) {
  const updateWord = word.box.update;
  const { before, lost } = now.update || {};
  const back = async () => {
    if (await act("update/back", { lose: Boolean(lost) })) close();
  };
  return [
    updateWord.back,
    h("div", { class: "asked" }, before && h("p", {}, updateWord.backHint(named(before))), h("p", {}, lost ? updateWord.backLoses(lost) : updateWord.backKeeps), button(lost ? "go danger" : "go", back, {}, updateWord.back)),
  ];
}
