// The last lines of the box's log: for whoever looks for a fault, or asks somebody for help.

import { button, h } from "../core/dom.js";
import { say, word } from "../languages/language.js";
import { read, save } from "./read.js";

/** The section of the page. */
export function logPart({ host, store }) {
  if (!host) return null;
  return h(
    "section",
    { class: "card", key: "log" },
    h("h2", {}, word.box.log),
    h("p", { class: "quiet" }, word.box.logHint),
    button("plain log", () => open(store), {}, word.box.showLog),
  );
}

async function open(store) {
  store.change({ sheet: { kind: "log" } });
  const { got, failed } = await read("log", { patience: 8000 });
  const { sheet } = store.get();
  if (sheet && sheet.kind === "log") store.change({ sheet: { kind: "log", lines: got && got.lines, failed } });
}

/** The sheet: its title and content. */
export function logSheet({ now }, { lines, failed }) {
  return [word.box.log, logView(lines, failed, now)];
}

function logView(lines, failed, now) {
  if (failed) return h("p", { class: "quiet", role: "alert" }, failed);
  if (!lines) return h("p", { class: "quiet connecting" }, say.connecting);
  if (!lines.length) return h("p", { class: "quiet" }, word.box.logEmpty);
  const text = `${lines.join("\n")}\n`;
  const name = `perudo-${(now && now.name) || "box"}.log.txt`;
  return [
    h("pre", { class: "log", key: "log", lang: "en", tabindex: 0, "aria-label": word.box.log, mount: toTheEnd }, lines.map(lineView)),
    button("go", () => save(new Blob([text], { type: "text/plain" }), name), { key: "save" }, word.box.saveLog),
  ];
}

const lineView = (line, n) => h("span", { class: / (WARNING|ERROR|CRITICAL) /.test(line) ? "fault" : "", key: n }, `${line}\n`);

function toTheEnd(element) {
  requestAnimationFrame(() => {
    element.scrollTop = element.scrollHeight;
  });
}
