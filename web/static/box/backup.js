// The box as one file, and back. The box says what is under way; only what this phone sends is known here alone.

import { freshKey } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { language, say, textOf, word } from "../languages/language.js";

const PIECE = 2 * 1024 * 1024; // bytes
const PATIENCE = 30000; // ms that one try may take
const PAUSES = [500, 1500, 3000, 5000, 8000]; // ms before the next try
const FILE = "/api/v1/box/backup.zip";
const BUSY = ["making", "arriving", "checking", "restarting"];

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const day = (moment) => {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleDateString(language, { dateStyle: "long" });
};
const fileName = ({ name, bytes }) =>
  h("span", {}, h("bdi", {}, name), " ", h("span", { class: "size" }, word.box.backup.megabytes((bytes / 1e6).toLocaleString(language, { maximumFractionDigits: bytes < 1e7 ? 1 : 0 }))));
const address = ({ secrets }) => `${FILE}${secrets ? "?secrets=1" : ""}`;

/** The sections of the page. */
export function backupPart(ctx) {
  const { now, host, store } = ctx;
  if (!host || !now.backup) return null;
  const mine = { secrets: false, rename: true, configure: true, second: null, sent: null, part: "back", ...store.get().backup };
  const change = (part) => store.change({ backup: { ...store.get().backup, ...part } });
  const all = { ...ctx, backup: now.backup, mine, change, busy: BUSY.includes(now.backup.step) || mine.sent !== null };
  return [awayView(all), backView(all)];
}

// Away from the box

function awayView(all) {
  const { backup, mine, change, busy } = all;
  const words = word.box.backup;
  const { step, file } = backup;
  return h(
    "section",
    { class: "card backup", key: "backup" },
    h("h2", {}, words.title),
    h("p", { class: "quiet" }, words.hint),
    check(words.secrets, mine.secrets, (secrets) => change({ secrets }), busy),
    mine.secrets && h("p", { class: "quiet aside", key: "secrets" }, words.secretsHint),
    button("go save", () => take(all), { key: "save", disabled: busy }, words.save),
    step === "making" && working("making", words.making),
    file && step !== "making" &&
      h("a", { class: "plain ready", key: "ready", href: address(file), download: file.name }, fileName(file)),
    mine.part === "away" && trouble(all),
  );
}

async function take({ store, act, mine, change }) {
  change({ part: "away" });
  if (!(await act("backup", { secrets: mine.secrets }))) return;
  const now = () => store.get().now.backup;
  while (now() && now().step === "making") await sleep(300);
  const file = now() && now().file;
  if (!file || file.secrets !== mine.secrets) return;
  const link = document.createElement("a");
  link.href = address(file);
  link.download = file.name;
  link.click();
}

// Back to the box

function backView(all) {
  const { backup, mine } = all;
  const words = word.box.backup;
  return h(
    "section",
    { class: "card restore", key: "restore" },
    h("h2", {}, words.back),
    ...backContent(all, words),
    mine.part === "back" && trouble(all),
    backup.restored && !["restarting", "offered"].includes(backup.step) && restoredView(all, words),
  );
}

function backContent(all, words) {
  const { backup, mine } = all;
  if (backup.step === "restarting") return [working("restarting", words.restarting)];
  if (mine.sent !== null) return [working("sending", words.sending, mine.sent)];
  if (backup.step === "checking") return [working("checking", words.checking)];
  if (backup.offer) return [offerView(all, backup.offer, words)];
  return [
    h("p", { class: "quiet" }, words.backHint),
    h("div", { class: "row", key: "from" }, chooser(all, words)),
  ];
}

// A button that opens the phone's files.
function chooser(all, words) {
  const chosen = async ({ currentTarget: input }) => {
    const [file] = input.files;
    input.value = ""; // the same file may be chosen again
    if (file) await send(all, file);
  };
  return [
    button("plain choose", ({ currentTarget }) => currentTarget.nextSibling.click(), { key: "choose", disabled: all.busy }, words.choose),
    h("input", { type: "file", accept: ".zip,application/zip", hidden: true, "aria-label": words.choose, key: "file", on: { change: chosen } }),
  ];
}

async function once(path, key, csrf, blob) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE);
  try {
    const headers = { "Content-Type": "application/octet-stream", "Idempotency-Key": key, ...(csrf ? { "X-Perudo-CSRF": csrf } : {}) };
    const answer = await fetch(path, { method: "POST", headers, body: blob, signal: abort.signal, cache: "no-store" });
    return { ok: answer.ok, status: answer.status, said: await answer.json() };
  } finally {
    clearTimeout(timer);
  }
}

// The answer of the box; null if it gave none.
async function deliver(path, csrf, blob) {
  const key = freshKey();
  for (const pause of [...PAUSES, 0]) {
    try {
      const answer = await once(path, key, csrf, blob);
      if (answer.status !== 503) return answer;
    } catch {
      // the box knows the key, and takes the piece once
    }
    await sleep(pause);
  }
  return null;
}

async function send({ store, toast, change }, file) {
  const of = Math.max(1, Math.ceil(file.size / PIECE));
  const together = freshKey();
  const { me } = store.get();
  change({ part: "back", sent: 0, second: null });
  for (let number = 1; number <= of; number += 1) {
    const piece = file.slice((number - 1) * PIECE, number * PIECE);
    const answer = await deliver(`/api/v1/box/restore/${together}?of=${of}&number=${number}`, me && me.csrf, piece);
    if (!answer || !answer.ok) {
      change({ sent: null });
      toast(answer ? textOf(answer.said) || say.refused : say.noAnswer, "refused");
      return;
    }
    change({ sent: number / of });
    if (number === of) store.change({ now: answer.said });
  }
  change({ sent: null });
}

// What is in a backup, and the tap that puts it in place

function offerView({ now, act, mine, change, busy }, { description, may_rename: mayRename, may_configure: configure, place, shortened }, words) {
  const second = place && mine.second;
  const rename = mayRename && !second;
  const replace = () => act("restore", { rename: rename && mine.rename, configure: configure && mine.configure, second: Boolean(second) });
  return h(
    "div",
    { class: "offer", key: "offer" },
    h("p", { class: "found" }, words.found(description.name, day(description.made))),
    h("ul", { class: "inside" }, inside(description, words).map((line) => h("li", {}, line))),
    place && placeView(mine, change, busy, words),
    rename && check(words.rename(description.name), mine.rename, (value) => change({ rename: value }), busy),
    configure && check(words.configure, mine.configure, (value) => change({ configure: value }), busy),
    configure && mine.configure && shortened.length > 0 && h("p", { class: "problem" }, words.shortened(shortened.join(", "))),
    h("p", { class: "quiet" }, words.kept),
    now.playing && h("p", { class: "problem" }, words.playing),
    h(
      "div",
      { class: "row" },
      button("go danger replace", replace, { disabled: busy || now.playing || second === null }, words.replace),
      button("plain cancel", () => act("backup/cancel"), { disabled: busy }, words.cancel),
    ),
  );
}

// Only one box can have a place in a club: nothing is chosen before somebody says which.
const placeView = ({ second }, change, disabled, words) =>
  h(
    "div",
    { class: "place", key: "place", role: "radiogroup", "aria-label": words.place },
    h("p", {}, words.place),
    [
      [false, words.placeTaken],
      [true, words.placeSecond],
    ].map(([value, text]) =>
      h(
        "label",
        { class: "field check", key: text },
        h("input", { type: "radio", name: "place", value: String(value), checked: second === value, disabled, on: { change: () => change({ second: value }) } }),
        h("span", {}, text),
      ),
    ),
  );

const inside = (its, words) =>
  [
    its.games ? words.games(its.games, day(its.last)) : words.noGames,
    its.pictures && words.pictures(its.pictures),
    its.profiles && words.calibrations(its.profiles),
    its.configuration && words.settings,
    its.examples && words.learned,
    its.secrets && words.secretsIn,
  ].filter(Boolean);

function restoredView({ backup: { restored }, busy, store }, words) {
  const { description, back, undo } = restored;
  return h(
    "div",
    { class: "restored", key: "restored" },
    h("p", { class: "done", role: "status" }, back ? words.wentBack : words.restored(description.name, day(description.made))),
    undo && button("plain undo-restore", () => store.change({ sheet: { kind: "undoRestore" } }), { disabled: busy }, back ? words.again : words.goBack),
  );
}

/** The sheet that asks whether to go back: its title and content. */
export function undoRestoreSheet({ now, act, busy }, _, close) {
  const words = word.box.backup;
  const { restored } = now.backup || {};
  const yes = async () => {
    close();
    await act("backup/back");
  };
  return [
    restored && restored.back ? words.again : words.goBack,
    h(
      "div",
      { class: "asked" },
      h("p", {}, words.goBackMeans),
      now.playing && h("p", { class: "problem" }, words.playing),
      h("div", { class: "row" }, button("go danger", yes, { disabled: Boolean(busy) || now.playing }, words.goBackYes), button("plain", close, {}, words.cancel)),
    ),
  ];
}

// Parts of both

const check = (text, checked, set, disabled) =>
  h(
    "label",
    { class: "field check", key: text },
    h("input", { type: "checkbox", checked, disabled, on: { change: ({ currentTarget }) => set(currentTarget.checked) } }),
    h("span", {}, text),
  );

const working = (key, text, share = null) =>
  h(
    "div",
    { class: "working", key },
    h("p", { role: "status" }, text),
    h("progress", { max: 1, "aria-label": text, ...(share === null ? {} : { value: share }) }),
  );

const trouble = ({ backup }) => backup.trouble && h("p", { class: "problem", role: "alert", key: "trouble" }, textOf(backup.trouble));
