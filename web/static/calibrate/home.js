// Before and after a calibration: what it is for, and the saved profiles.

import { compared } from "./steps.js";
import { button, h } from "../core/dom.js";
import { language, say, textOf, word } from "../languages/language.js";

/** The page while nobody calibrates. */
export function home(ctx) {
  const { now, act } = ctx;
  return [
    now.kept && kept(ctx),
    h(
      "section",
      { class: "card intro", key: "intro" },
      h("h1", { class: "big", tabindex: -1 }, now.kept ? word.calibration.oncemore : word.calibration.title),
      !now.kept && h("p", {}, word.calibration.intro),
      !now.kept && h("p", { class: "quiet" }, word.calibration.need),
      button(now.kept ? "plain" : "go", () => act("start"), { key: "begin" }, word.calibration.begin),
    ),
    now.profiles.length > 0 && profiles(ctx),
  ];
}

function kept(ctx) {
  const { now, act } = ctx;
  return h(
    "section",
    { class: "card kept", key: "kept" },
    h("div", { class: "saying good" }, h("span", { class: "sign good", role: "img", "aria-label": word.calibration.grades.good }, "✓"), h("div", { role: "status" }, h("h1", { class: "big", tabindex: -1 }, textOf(now.kept)))),
    compared(ctx),
    h("div", { class: "row" }, h("a", { class: "go", href: "/" }, word.calibration.toTable), button("plain", () => act("revert"), { key: "revert" }, word.calibration.undo)),
  );
}

const when = (made) => {
  const date = new Date(made);
  return Number.isNaN(date.getTime()) ? made : date.toLocaleDateString(language, { year: "numeric", month: "long", day: "numeric" });
};

function profiles(ctx) {
  const { now, act } = ctx;
  const used = now.profiles.some((each) => each.in_use);
  return h(
    "section",
    { class: "card", key: "profiles" },
    h("h2", {}, word.calibration.profiles),
    h("p", { class: "quiet" }, word.calibration.profilesHint),
    h(
      "ul",
      { class: "profilelist" },
      now.profiles.map((each) => profile(ctx, each)),
    ),
    used && button("plain small", () => act("profiles/use", { name: null }), { key: "none" }, word.calibration.useNone),
  );
}

function profile({ act, store }, { name, made, in_use: used, undo, lens, colours, error_px: error }) {
  const facts = [lens ? (error ? word.calibration.lensTo(error.toFixed(2)) : word.calibration.lensAssumed) : word.calibration.noLens, colours.length ? word.calibration.colourCount(colours.length) : word.calibration.noColours];
  const open = (kind) => () => store.change({ sheet: { kind, name, to: name } });
  return h(
    "li",
    { key: name, class: used ? "used" : "", "data-profile": name },
    h("p", { class: "profilename" }, h("bdi", {}, name), used && h("span", { class: "chip" }, word.calibration.inUse)),
    h("p", { class: "quiet" }, [when(made), ...facts].join(" · ")),
    h(
      "div",
      { class: "row" },
      !used && button("plain small", () => act("profiles/use", { name }), { key: "use", "aria-label": say.pair(word.calibration.use, name) }, word.calibration.use),
      undo && button("plain small", () => act("profiles/undo", { name }), { key: "undo", "aria-label": say.pair(word.calibration.asBefore, name) }, word.calibration.asBefore),
      button("plain small", open("rename"), { key: "rename", "aria-label": say.pair(word.calibration.rename, name) }, word.calibration.rename),
      button("plain small danger", open("remove"), { key: "remove", "aria-label": say.pair(word.calibration.remove, name) }, word.calibration.remove),
    ),
  );
}
