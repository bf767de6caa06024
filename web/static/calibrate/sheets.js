// The sheets that open over the page: joining, the tablet, a die's colour, a profile's name.

import { dialog } from "../core/dialog.js";
import { button, h } from "../core/dom.js";
import { joinSheet } from "../menu/join.js";
import { say, textOf, word } from "../languages/language.js";

/** The open sheet. */
export function sheetOpen(ctx, sheet) {
  const { store } = ctx;
  const close = () => store.change({ sheet: null });
  const [title, content] = CONTENTS[sheet.kind](ctx, sheet, close);
  return dialog({ kind: sheet.kind, title, close }, content);
}

function tablet({ now, me, store, act }, _, close) {
  const address = ((me && me.addresses) || [`${location.origin}/`])[0];
  const { square } = store.get();
  const value = Number(String(square).replace(",", "."));
  const done = async () => {
    if ((await act("square", { mm: value })) && (await act("go", { step: "views" }))) close();
  };
  return [
    word.calibration.onTablet,
    h(
      "div",
      { class: "asked" },
      h("p", {}, word.calibration.tabletHint),
      h("p", { class: "address", dir: "ltr" }, `${address.replace(/\/$/, "")}/calibrate#sheet`),
      h("a", { class: "plain", href: "/calibrate#sheet", target: "_blank", rel: "noopener" }, word.calibration.thisIsTablet),
      now.yours &&
        h(
          "label",
          { class: "field" },
          h("span", {}, word.calibration.squareOnScreen),
          h("span", { class: "measure" }, h("input", { type: "text", inputmode: "decimal", value: square, maxlength: 6, on: { input: ({ target }) => store.change({ square: target.value }) } }), "mm"),
        ),
      now.yours && button("go", done, { disabled: !(value >= 5 && value <= 100) }, word.calibration.haveSheet),
    ),
  ];
}

function losing({ now, act }, _, close) {
  const lost = now.lost;
  const leave = async () => {
    const done = lost && lost.how === "assume" ? await act("assume") : lost && lost.how === "colours" ? await act("go", { step: "check", without: true }) : await act("go", { step: "colours" });
    if (done) close();
  };
  return [
    word.calibration.leaveOutAsk,
    h("div", { class: "asked" }, h("p", {}, lost ? textOf(lost) : ""), button("plain", leave, {}, word.calibration.leaveOut), button("go", close, {}, word.calibration.doIt)),
  ];
}

function die({ act }, { die: n, at, colour }, close) {
  const pick = (name) => async () => {
    if (await act("mark", { at, colour: name })) close();
  };
  return [
    word.calibration.whichColour(n + 1),
    h(
      "div",
      { class: "colourrow" },
      Object.keys(say.colours).map((name) =>
        button(`colourbutton${name === colour ? " chosen" : ""}`, pick(name), { key: name, "data-colour": name, "aria-pressed": String(name === colour) }, h("span", { class: `mini large ${name}`, "aria-hidden": "true" }), h("span", {}, say.colours[name])),
      ),
    ),
  ];
}

function rename({ act, store }, sheet, close) {
  const to = sheet.to.trim();
  const done = async () => {
    if (await act("profiles/rename", { name: sheet.name, to })) close();
  };
  return [
    word.calibration.rename,
    h(
      "div",
      { class: "asked" },
      h("label", { class: "field" }, h("span", {}, word.calibration.name), h("input", { type: "text", value: sheet.to, maxlength: 40, on: { input: ({ target }) => store.change({ sheet: { ...store.get().sheet, to: target.value } }) } })),
      button("go", done, { disabled: !to }, word.calibration.rename),
    ),
  ];
}

function remove({ act }, { name }, close) {
  const done = async () => {
    if (await act("profiles/remove", { name })) close();
  };
  return [word.calibration.removeAsk(name), h("div", { class: "asked" }, button("go danger", done, {}, word.calibration.remove), button("plain", close, {}, word.calibration.leaveIt))];
}

const CONTENTS = { join: joinSheet, tablet, losing, die, rename, remove };
