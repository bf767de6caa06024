// The calibration page: it asks the box for the state of the calibration, and sends it every tap.

import { createApi } from "../core/api.js";
import { home } from "./home.js";
import { follow, started } from "./picture.js";
import { sheetOpen } from "./sheets.js";
import { STATIONS, station, stepView } from "./steps.js";
import { button, h, render } from "../core/dom.js";
import { takeCode } from "../core/identity.js";
import { enter } from "../menu/join.js";
import { settings } from "../core/settings.js";
import { createPoll } from "../core/poll.js";
import { createStore } from "../core/store.js";
import { createToasts } from "../core/toasts.js";
import { ready, say, textOf, word } from "../languages/language.js";

const EVERY = 250; // ms between two requests while somebody calibrates
const SELDOM = 2000; // ms otherwise
const root = document.getElementById("app");
const store = createStore({
  me: null,
  now: null, // the answer of GET /api/v1/calibration
  line: null, // whether the box answers
  shown: null, // `now.picture` as it was for the picture on the screen
  sheet: null, // the open sheet: {kind: "join" | "tablet" | "die" | "rename" | "remove" | "losing", ...}
  after: true, // which of the two pictures is shown
  laid: Date.now(), // when this phone first had them; in their addresses, because the browser caches pictures
  mm: "100", // measured length of the line on the sheet
  square: "", // width of a square on a screen, in mm
  name: null, // the name as typed; null if nothing was
  numbers: false, // whether the dice in the picture show their numbers in the list
  toasts: [],
  busy: null,
});

const { toast, view: toasts } = createToasts(store);

const { take, start } = createPoll({
  path: "/api/v1/calibration",
  store,
  settle,
  pause: () => {
    const { now } = store.get();
    return now && now.step ? EVERY : SELDOM;
  },
});

function settle(now) {
  const before = store.get().now;
  const stepped = before && before.step !== now.step;
  const got = before && before.views && now.views && now.views.have > before.views.have && now.yours;
  store.change({ now, line: true, ...(stepped ? { sheet: closing(now), after: true, numbers: false } : {}), ...(stepped && now.step === "lens" ? { laid: Date.now() } : {}) });
  if (now.yours && now.step) stayOn();
  if (got) chime("right");
  aloud(before, now);
  if (stepped) requestAnimationFrame(() => top());
}

// A sheet that belongs to the step closes with it.
function closing(now) {
  const { sheet } = store.get();
  return sheet && (sheet.kind === "join" || !now.step) ? sheet : null;
}

function top() {
  const heading = root.querySelector("main .big");
  if (heading && !root.querySelector(".sheet")) heading.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

// A player holding the sheet does not look at the phone: a few notes say that the picture was taken.
let voice = null;
function chime(kind) {
  if (voice) voice.play(kind);
}

// Both hands hold the sheet, so the screen has to stay on.
let awake = false;
function stayOn() {
  if (awake) return;
  awake = true;
  import("../core/wake-lock.js").then(({ stayAwake }) => stayAwake(), () => {}); // without it the screen goes dark, and the box still looks for a while
}

// If the voice is switched on in the settings, it says what to do next.
function aloud(before, now) {
  if (!voice || !settings().voice || !now.yours || !now.says || now.step === "aim") return;
  const text = textOf(now.says);
  if (!before || !before.says || textOf(before.says) !== text) voice.speak(text);
}

function unlockSound() {
  if (voice) voice.unlock();
  else
    import("../speech/voice.js").then((found) => {
      voice = found;
      voice.unlock();
    }, () => {}); // the page shows the same without notes
}

function stranger() {
  if (!store.get().sheet) store.change({ sheet: { kind: "join", back: null } });
}

const { post, ask, whoAmI } = createApi({ store, take, toast, seen: () => 0, stranger });

/** Send a tap to the calibration; true when it was done. */
async function act(path, body = {}) {
  unlockSound();
  return post(`calibration/${path}`, body);
}

function header(now) {
  return h(
    "header",
    { class: "top calibrating", key: "top" },
    h("a", { class: "icon back", href: "/", "aria-label": word.calibration.toTable, title: word.calibration.toTable }, "‹"),
    h("span", { class: "brand" }, word.calibration.title),
    now && now.step && now.yours && button("plain small", () => act("cancel"), { key: "stop" }, word.calibration.stop),
  );
}

function stations(now) {
  const at = station(now.step);
  return h(
    "ol",
    { class: "stations", key: "stations", "aria-label": word.calibration.steps },
    STATIONS.map((name, n) =>
      h(
        "li",
        { key: name, class: n < at ? "done" : n === at ? "here" : "", "aria-current": n === at ? "step" : null },
        h("span", { class: "n", "aria-hidden": "true" }, n < at ? "✓" : String(n + 1)),
        h("span", {}, word.calibration.stations[name]),
        n < at && h("span", { class: "hidden" }, word.calibration.done),
      ),
    ),
  );
}

function content(ctx) {
  const { now } = ctx;
  if (!now) return h("p", { class: "quiet connecting", key: "connecting" }, say.connecting);
  if (now.refused) return h("p", { class: "problem", key: "refused" }, textOf(now.refused));
  if (!now.step) return home(ctx);
  return [stations(now), stepView(ctx)];
}

function draw(value) {
  const { now, line, sheet, shown } = value;
  const ctx = { store, now, me: value.me, act, ask, post, toast, shown };
  const open = sheet ? sheetOpen(ctx, sheet) : null;
  render(
    root,
    line === false && h("p", { class: "linecut", key: "line", role: "alert" }, say.lineCut),
    header(now),
    h("main", { key: "main", class: `calibrate ${now && now.step ? `step-${now.step}` : "no-step"}`, tabindex: -1 }, content(ctx)),
    open,
    toasts(),
  );
  document.documentElement.classList.toggle("sheet-open", Boolean(open));
  document.title = `${word.calibration.title} · Perudo`;
  follow(store, now && now.picture);
}

// `/calibrate#sheet` shows the sheet itself, on a tablet.
async function begin() {
  await ready;
  if (location.hash === "#sheet") {
    const { screen } = await import("./screen.js");
    screen(root);
    return;
  }
  started(store);
  store.listen(draw);
  const code = takeCode();
  const me = await whoAmI();
  if (code && !(me && me.joined)) await enter({ store, ask }, code);
  start();
}

window.addEventListener("hashchange", () => location.reload());
begin();
