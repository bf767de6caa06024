// The four steps: aim, the sheet, the colours, a check. Each asks for one thing at a time, in one large sentence.

import { dieMarks, picture } from "./picture.js";
import { button, h } from "../core/dom.js";
import { language, say, textOf, word } from "../languages/language.js";

/** The steps as the page shows them. */
export const STATIONS = ["aim", "sheet", "colours", "check"];
const AT = { aim: 0, sheet: 1, views: 1, flat: 1, lens: 1, colours: 2, check: 3 };
const SIGNS = { good: "✓", usable: "!", bad: "✕" };
const LONG = 64; // letters; a longer sentence is set smaller
const FEWEST = 5; // pictures of the sheet needed to compute the lens

/** The number of the station that a step belongs to. */
export const station = (step) => (step in AT ? AT[step] : -1);

/** What the step shows. */
export function stepView(ctx) {
  const { now } = ctx;
  const step = VIEWS[now.step];
  return [now.yours ? null : watching(ctx), step ? step(ctx) : null];
}

// Another phone calibrates: this one may watch, or take over.
function watching({ now, act }) {
  return h(
    "section",
    { class: "card watching", key: "watching" },
    h("p", {}, now.by && now.by.player ? word.calibration.doneBy(now.by.player) : word.calibration.doneElsewhere),
    button("plain", () => act("take"), {}, word.calibration.takeOver),
  );
}

/** The large sentence, with a sign for its grade, so that the grade is not shown by colour only. */
export function big(says, key, more = null) {
  const grade = says && says.grade;
  const text = says ? textOf(says) : word.calibration.looking;
  return h(
    "div",
    { class: `saying ${grade || ""}${more ? " figured" : ""}`, key },
    grade && h("span", { class: `sign ${grade}`, role: "img", "aria-label": word.calibration.grades[grade] }, SIGNS[grade]),
    h("div", { role: "status" }, h("h1", { class: `big${text.length > LONG ? " long" : ""}`, tabindex: -1 }, text)),
    more,
  );
}

const hint = ({ now }) => h("p", { class: "hint", key: "hint", role: "status" }, now.hint ? textOf(now.hint) : "");

// The buttons at the foot: one large, the seldom needed ones small beside it.
function foot({ now }, main, ...more) {
  if (!now.yours) return null;
  return h("div", { class: "foot", key: "foot" }, main, more.filter(Boolean).length > 0 && h("div", { class: "row" }, more));
}

const go = (tap, text, off = false) => button("go", tap, { key: "go", disabled: off }, text);
const small = (tap, text, key) => button("plain small", tap, { key }, text);

function leaveOut({ now, store }) {
  return now.lost ? small(() => store.change({ sheet: { kind: "losing" } }), word.calibration.leaveOut, "skip") : null;
}

// 1 Aim

function aim(ctx) {
  const { now, act } = ctx;
  return [
    picture(ctx),
    h(
      "section",
      { class: "panelside", key: "aim" },
      big(now.says, "says"),
      foot(ctx, [h("p", { class: "asks", key: "asks" }, word.calibration.aimAsk), go(() => act("go", { step: "sheet" }), word.calibration.aimYes)]),
      h(
        "ul",
        { class: "findings" },
        now.findings.filter((each) => !now.says || textOf(each) !== textOf(now.says)).map((each) =>
          h("li", { key: each.what, class: each.grade }, h("span", { class: `sign ${each.grade}`, role: "img", "aria-label": word.calibration.grades[each.grade] }, SIGNS[each.grade]), h("span", {}, textOf(each))),
        ),
      ),
    ),
  ];
}

// 2 The sheet: printed, held, laid flat

function sheet(ctx) {
  const { now, act, store } = ctx;
  const pdf = (paper) => `/api/v1/calibration/sheet.pdf?paper=${paper}&language=${language}`;
  const { mm } = store.get();
  const value = Number(String(mm).replace(",", "."));
  const right = value >= 80 && value <= 120;
  const measured = async () => {
    if (await act("ruler", { mm: value })) await act("go", { step: "views" });
  };
  return h(
    "section",
    { class: "panelside only", key: "sheet" },
    big(now.says, "says"),
    h(
      "div",
      { class: "row papers" },
      h("a", { class: "plain", href: pdf("a4"), target: "_blank", rel: "noopener", "data-paper": "a4" }, word.calibration.print("A4")),
      h("a", { class: "plain", href: pdf("letter"), target: "_blank", rel: "noopener", "data-paper": "letter" }, word.calibration.print("Letter")),
      button("plain", () => store.change({ sheet: { kind: "tablet" } }), { key: "tablet", "data-paper": "tablet" }, word.calibration.onTablet),
    ),
    h("p", { class: "quiet" }, word.calibration.stiff),
    now.yours &&
      h(
        "label",
        { class: "field ruler", key: "ruler" },
        h("span", {}, word.calibration.ruler),
        h(
          "span",
          { class: "measure" },
          h("input", {
            type: "text",
            inputmode: "decimal",
            value: mm,
            maxlength: 6,
            "aria-invalid": right ? null : "true",
            on: { input: ({ target }) => store.change({ mm: target.value }) },
          }),
          "mm",
        ),
      ),
    foot(ctx, go(measured, word.calibration.haveSheet, !right), leaveOut(ctx)),
  );
}

function views(ctx) {
  const { now, act } = ctx;
  const { have, share, held, covered, sideways, lengthways } = now.views;
  return [
    picture(ctx),
    h(
      "section",
      { class: "panelside", key: "views" },
      big(now.says, "says"),
      hint(ctx),
      h(
        "label",
        { class: "held quiet", key: "held" },
        h("span", {}, word.calibration.held),
        // never quite 0: a bar without a value would be animated
        h("progress", { class: "holding", max: 1, value: Math.max(held, 0.001) }),
      ),
      h(
        "div",
        { class: "covers", key: "covers" },
        h(
          "ul",
          { class: "cells", "aria-label": word.calibration.cells(covered.filter(Boolean).length) },
          covered.map((is, n) => h("li", { key: n, class: is ? "done" : "" }, is ? "✓" : "")),
        ),
        h(
          "div",
          {},
          h("p", { class: "share" }, word.calibration.share(share)),
          h("p", { class: "quiet" }, word.calibration.pictures(have)),
          h("p", { class: "quiet" }, `${sideways ? "✓" : "○"} ${word.calibration.sideways}`),
          h("p", { class: "quiet" }, `${lengthways ? "✓" : "○"} ${word.calibration.lengthways}`),
        ),
      ),
      foot(
        ctx,
        have === 0 && h("p", { class: "quiet", key: "auto" }, word.calibration.automatic),
        small(() => act("capture"), word.calibration.now, "capture"),
        have > 0 && small(() => act("drop"), word.calibration.dropLast, "drop"),
        have >= FEWEST && small(() => act("solve"), word.calibration.enough, "solve"),
        leaveOut(ctx),
      ),
    ),
  ];
}

function flat(ctx) {
  const { now, act } = ctx;
  return [
    picture(ctx),
    h(
      "section",
      { class: "panelside", key: "flat" },
      big(now.says, "says"),
      hint(ctx),
      foot(
        ctx,
        go(() => act("capture"), word.calibration.liesFlat, !now.views.seen),
        !now.working && now.views.have > 0 && small(() => act("go", { step: "views" }), word.calibration.backToViews, "back"),
      ),
    ),
  ];
}

function lens(ctx) {
  const { now, act } = ctx;
  const bad = now.says && now.says.grade === "bad";
  const on = () => act("go", { step: "colours" });
  const again = () => act("go", { step: "views" });
  return [
    compared(ctx),
    h(
      "section",
      { class: "panelside", key: "lens" },
      big(now.says, "says"),
      hint(ctx),
      bad ? foot(ctx, go(again, word.calibration.again), small(on, word.calibration.allTheSame, "on")) : foot(ctx, go(on, word.calibration.toColours), small(again, word.calibration.again, "again")),
    ),
  ];
}

/** The picture as the camera gives it, or as it is read, in the same place, so that the difference is visible. */
export function compared({ store, now }) {
  if (now.compared.length < 2) return null;
  const { after, laid } = store.get();
  const which = after ? "after" : "before";
  const pick = (value) => () => store.change({ after: value });
  return h(
    "figure",
    { class: "compared", key: "compared" },
    ["before", "after"].map((each) =>
      h("img", { key: each, class: `view ${each === which ? "" : "off"}`, alt: word.calibration.compared[each], src: `/api/v1/calibration/compared/${each}.jpg?at=${laid}`, width: 640, height: 480 }),
    ),
    h(
      "figcaption",
      { class: "choices", role: "group", "aria-label": word.calibration.compare },
      button("plain choice", pick(false), { key: "b", "aria-pressed": String(!after) }, word.calibration.before),
      button("plain choice", pick(true), { key: "a", "aria-pressed": String(after) }, word.calibration.after),
    ),
  );
}

// 3 The colours

function colours(ctx) {
  const { now, act, store } = ctx;
  const dice = now.picture ? now.picture.dice : [];
  const { numbers } = store.get();
  return [
    picture(ctx, (over) => dieMarks(over, (_, n) => (numbers ? String(n + 1) : ""))),
    h(
      "section",
      { class: "panelside", key: "colours" },
      big(now.says, "says"),
      hint(ctx),
      foot(ctx, go(() => act("go", { step: "check" }), word.calibration.coloursRight, !now.colours), leaveOut(ctx)),
      now.colours && palette(now.colours),
      now.yours &&
        dice.length > 0 &&
        h(
          "details",
          { class: "wrongcolour", key: "wrong", on: { toggle: ({ target }) => store.change({ numbers: target.open }) } },
          h("summary", {}, word.calibration.wrongColour),
          h(
            "ul",
            { class: "dicelist" },
            dice.map((die, n) =>
              h(
                "li",
                { key: n },
                button(
                  "plain",
                  () => store.change({ sheet: { kind: "die", die: n, at: middle(die.box), colour: die.colour } }),
                  { "data-die": n },
                  h("span", { class: "n" }, String(n + 1)),
                  h("span", { class: `mini ${die.colour}`, "aria-hidden": "true" }),
                  say.colours[die.colour],
                ),
              ),
            ),
          ),
        ),
    ),
  ];
}

const middle = ([x, y, width, height]) => [x + width / 2, y + height / 2];

/** Before and after: how a colour usually looks, and how it looks under this lamp. */
function palette(found) {
  return h(
    "table",
    { class: "palette", key: "palette" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, word.calibration.colour), h("th", { scope: "col" }, word.calibration.usually), h("th", { scope: "col" }, word.calibration.here), h("th", { scope: "col" }, word.calibration.dice))),
    h(
      "tbody",
      {},
      found.map(({ colour, usual, here, dice }) =>
        h("tr", { key: colour }, h("th", { scope: "row" }, say.colours[colour]), h("td", {}, swatch(usual)), h("td", {}, swatch(here)), h("td", { class: "n" }, String(dice))),
      ),
    ),
  );
}

const swatch = (hex) => h("svg", { class: "swatch", viewBox: "0 0 30 20", role: "img", "aria-label": hex }, h("rect", { width: 30, height: 20, rx: 5, fill: hex }));

// 4 The check

function check(ctx) {
  const { now, act, store } = ctx;
  const found = now.check;
  const usual = (now.profiles.find((each) => each.in_use) || {}).name || word.calibration.firstName;
  const { name } = store.get();
  const typed = name === null ? usual : name;
  const seen = found ? found.seen : 0;
  const expected = found && found.expected !== null ? found.expected : seen;
  const expect = (by) => () => act("expect", { dice: Math.max(1, expected + by) });
  const keep = async () => {
    if (await act("save", { name: typed.trim() })) store.change({ name: null });
  };
  return [
    picture(ctx, (over) => dieMarks(over, (die) => (die.uncertain ? `${die.face}?` : String(die.face)))),
    h(
      "section",
      { class: "panelside", key: "check" },
      big(now.says, "says", found && seen > 0 ? h("p", { class: "figure", key: "figure" }, h("strong", {}, String(found.figure)), ` ${word.calibration.ofHundred}`) : null),
      hint(ctx),
      foot(
        ctx,
        now.keeps ? go(keep, word.calibration.keep, !typed.trim()) : h("p", { class: "asks", key: "nothing" }, word.calibration.nothing),
        small(() => act("go", { step: "colours" }), word.calibration.backToColours, "back"),
        !now.keeps && small(() => act("cancel"), word.calibration.stop, "end"),
      ),
      now.yours &&
        seen > 0 &&
        h(
          "div",
          { class: "howmany", key: "howmany", role: "group", "aria-label": word.calibration.howMany },
          h("span", {}, word.calibration.howMany),
          h(
            "span",
            { class: "stepper" },
            button("step", expect(-1), { "aria-label": word.calibration.fewer }, "−"),
            h("span", { class: "n" }, String(expected)),
            button("step", expect(1), { "aria-label": word.calibration.more }, "+"),
          ),
        ),
      now.yours &&
        now.keeps &&
        h(
          "label",
          { class: "field", key: "name" },
          h("span", {}, word.calibration.name),
          h("input", { type: "text", value: typed, maxlength: 40, autocomplete: "off", on: { input: ({ target }) => store.change({ name: target.value }) } }),
        ),
    ),
  ];
}

const VIEWS = { aim, sheet, views, flat, lens, colours, check };
