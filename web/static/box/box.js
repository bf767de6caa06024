// The page of the box: what it is, and what the host does to keep it going. Each part of the page is a module of its own.

import { button, h, render } from "../core/dom.js";
import { createApi } from "../core/api.js";
import { dialog } from "../core/dialog.js";
import { takeCode } from "../core/identity.js";
import { createPoll } from "../core/poll.js";
import { createStore } from "../core/store.js";
import { createToasts } from "../core/toasts.js";
import { loadWords, ready, say, textOf, word } from "../languages/language.js";
import { enter, joinSheet } from "../menu/join.js";
import { backupPart, undoRestoreSheet } from "./backup.js";
import { buttonsPart } from "./buttons.js";
import { cameraPart, cameraSheet, isTrying } from "./camera.js";
import { clubPart, invited, leaveClubSheet, secondBoxSheet, takeInvitation } from "./club.js";
import { anewSheet, healthPart } from "./health.js";
import { httpsPart, httpsSheet } from "./https.js";
import { logPart, logSheet } from "./log.js";
import { goBackSheet, updatePart } from "./update.js";
import { joinWifiSheet, ownWifiSheet, wifiPart } from "./wifi.js";

const EVERY = 2000; // ms between two requests
const SOON = 250; // while somebody waits at the buttons, or for a picture
const PARTS = [healthPart, cameraPart, buttonsPart, wifiPart, clubPart, updatePart, backupPart, httpsPart, logPart]; // each: (ctx) => a section, or null where the box has no such part
const SHEETS = { undoRestore: undoRestoreSheet, anew: anewSheet, goback: goBackSheet, joinwifi: joinWifiSheet, ownwifi: ownWifiSheet, leaveclub: leaveClubSheet, secondbox: secondBoxSheet, https: httpsSheet, log: logSheet, camera: cameraSheet }; // kind of sheet -> (ctx, sheet, close) => [title, content]
const root = document.getElementById("app");
const store = createStore({
  me: null,
  now: null, // the answer of GET /api/v1/box
  line: null, // whether the box answers
  sheet: null,
  toasts: [],
  busy: null,
});

const { toast, view: toasts } = createToasts(store);

const waits = (now) => Boolean(now && !now.refused) && (isTrying(now) || Boolean(now.buttons && now.buttons.learning));

const { take, start } = createPoll({
  path: "/api/v1/box",
  store,
  settle: (now) => store.change({ now, line: true }),
  pause: () => (waits(store.get().now) ? SOON : EVERY),
  back: () => whoAmI(), // the box was started anew
});

const askToJoin = () => store.change({ sheet: { kind: "join", back: null } });
const { post, ask, whoAmI } = createApi({ store, take, toast, seen: () => 0, stranger: askToJoin });
const act = (path, body = {}) => post(`box/${path}`, body);

// On the box's own network a phone need not have joined the table to choose another network.
async function tryWifi(chosen) {
  const { me } = store.get();
  if (me && me.joined) return act("wifi", chosen);
  try {
    const answer = await fetch("/api/v1/box/wifi", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(chosen) });
    const said = await answer.json();
    if (answer.ok) take(said);
    else toast(textOf(said) || say.refused, "refused");
    return answer.ok;
  } catch {
    toast(say.noAnswer, "refused");
    return false;
  }
}

const header = () =>
  h(
    "header",
    { class: "top upkeep", key: "top" },
    h("a", { class: "icon back", href: "/", "aria-label": word.box.toTable, title: word.box.toTable }, "‹"),
    h("h1", { class: "brand" }, word.box.title),
  );

const stranger = ({ me }) => me && !me.joined && h("section", { class: "card", key: "stranger" }, h("p", {}, word.box.joinFirst), button("go", askToJoin, {}, word.box.join));

function content(ctx) {
  const { now, me } = ctx;
  if (!now) return h("p", { class: "quiet connecting", key: "connecting" }, say.connecting);
  if (now.refused) return h("p", { class: "problem", key: "refused" }, textOf(now.refused));
  const onOwn = Boolean(now.wifi) && now.wifi.phase === "own";
  const first = onOwn ? wifiPart : invited(store) ? clubPart : null; // what a phone that was led here has come for
  return [
    h(
      "dl",
      { class: "card facts", key: "facts" },
      h("div", {}, h("dt", {}, word.box.name), h("dd", {}, h("bdi", {}, now.address.includes(".local") ? now.address : `${now.name} · ${now.address}`))),
      h("div", {}, h("dt", {}, word.box.version), h("dd", {}, now.version)),
    ),
    !onOwn && stranger(ctx),
    me && me.joined && !me.host && h("p", { class: "quiet", key: "guest" }, word.box.notHost),
    first && first(ctx),
    PARTS.filter((part) => part !== first).map((part) => part(ctx)),
    onOwn && stranger(ctx),
  ];
}

function sheetView(ctx) {
  const { sheet } = store.get();
  if (!sheet) return null;
  const close = () => store.change({ sheet: null });
  const [title, inside] = sheet.kind === "join" ? joinSheet(ctx, sheet) : SHEETS[sheet.kind](ctx, sheet, close);
  return dialog({ kind: sheet.kind, title, close }, inside);
}

function draw({ now, me, line }) {
  const ctx = { store, now, me, host: Boolean(me && me.joined && me.host), act, ask, post, toast, tryWifi };
  const open = sheetView(ctx);
  render(
    root,
    line === false && h("p", { class: "linecut", key: "line", role: "alert" }, say.lineCut),
    header(),
    h("main", { key: "main", class: "box", tabindex: -1 }, content(ctx)),
    open,
    toasts(),
  );
  document.documentElement.classList.toggle("sheet-open", Boolean(open));
  document.title = `${word.box.title} · Perudo`;
}

async function begin() {
  await ready;
  loadWords("https").then(() => store.change({}), () => {}); // the last section: it may come a moment later
  takeInvitation(store);
  store.listen(draw);
  const code = takeCode();
  const me = await whoAmI();
  if (code && !(me && me.joined)) await enter({ store, ask }, code);
  start();
}

window.addEventListener("hashchange", () => takeInvitation(store));
begin();
