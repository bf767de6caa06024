// The score board, for a television or an old tablet, and /overlay, for the picture of a stream. They have nothing to
// press, apart from the keys D and C.

import { createApi } from "../core/api.js";
import { stayAwake } from "../core/wake-lock.js";
import { SHOWN, board } from "./views.js";
import { render } from "../core/dom.js";
import { takeCode } from "../core/identity.js";
import { listen } from "../core/event-stream.js";
import { announcement, newCorrection, newNotice } from "../speech/announcement.js";
import { createStore } from "../core/store.js";
import { loadWords, ready, say, textOf } from "../languages/language.js";

const SAID = 15000; // ms that a refusal is shown
const root = document.getElementById("board");
const store = createStore({ state: null, line: null, lineSaid: "", run: "", me: null, busy: null, said: "", announced: "" });

let silence = 0;
const toast = (said) => {
  store.change({ said }); // a text, or what has a sentence
  clearTimeout(silence);
  silence = setTimeout(() => store.change({ said: "" }), SAID);
};
const version = () => (store.get().state ? store.get().state.version : 0);
const { ask, post, whoAmI } = createApi({ store, take, toast, seen: version, stranger: () => {} });

function take(state, fresh = false) {
  const before = store.get().state;
  if (before && !fresh && state.version <= before.version) return;
  const refused = newNotice(before, state); // a player at the panel looks at the board, not at a phone
  if (refused) toast(refused);
  const changed = newNotice(before, state, "undone") ? state.undone : newCorrection(before, state); // of what counts
  if (changed) loadWords("correction-messages").catch(() => {}).then(() => toast(changed));
  if (state.camera.phone || (state.waiting && state.waiting.code === "photo")) loadWords("photo-messages").then(() => store.change({}), () => {});
  store.change({ state, announced: announcement(before, state, { last: store.get().announced }) });
}

// With `/board#join=1234` the board joins to watch, and its QR code is an invitation.
async function join() {
  const code = takeCode();
  let me = await whoAmI();
  if (code && me && !me.joined) {
    const answer = await ask("join", { code });
    if (answer.ok) me = answer.said;
    else toast(textOf(answer.said) || say.refused);
  }
  if (me && me.joined && me.role === null) await ask("seat", { role: "watching" });
}

if (!root.classList.contains("overlay")) {
  const keys = (event) => import("../game/keys.js").then(({ begin }) => begin({ store, post }, event), () => {});
  document.addEventListener("keydown", keys, { once: true });
}

let overlay = null; // the view of /overlay, the board over another picture
if (root.classList.contains("overlay")) import("./overlay.js").then((module) => (overlay = module.overlay), () => {}).then(() => store.change({}));

let match = null; // the view of a series and of the clock, once a game with one has loaded it
let loading = false;
const redraw = () => store.change({});

let next = null; // the view of who is to play here next, once a table in a club has loaded it
let inClub = false;
let show = null; // the views of a reveal, loaded soon, or when they are needed
let bringing = false;
async function bring() {
  if (bringing) return;
  bringing = true;
  try {
    const module = await import("./reveal-views.js");
    await module.styled;
    show = { ...module, stage: (state, run) => module.stage(state, run, redraw) };
    redraw();
  } catch {
    bringing = false; // the next state tries again
  }
}

function draw(value) {
  if (value.state && SHOWN.includes(value.state.phase)) bring();
  if (value.state && (value.state.series || value.state.turn_seconds) && !loading) {
    loading = true;
    import("../game/match.js").then((module) => module.ready()).then((found) => {
      match = found.match;
      redraw();
    }, () => {}); // the board shows the game without them
  }
  if (value.state && value.state.club && !inClub) {
    inClub = true;
    import("../menu/club.js").then((module) => module.ready()).then((found) => {
      next = found.boardCard;
      redraw();
    }, () => {}); // nor does it need the club
  }
  if (root.classList.contains("overlay")) render(root, ...(overlay ? overlay(value, show) : []));
  else render(root, ...board(value, { match, show, next }));
  document.documentElement.classList.toggle("cut", value.line === false);
}

stayAwake();
ready.then(() => {
  store.listen(draw);
  window.addEventListener("hashchange", join);
  join();
  let met = false;
  listen({
    onHello(headers) {
      store.change({ run: headers.get("X-Perudo-Run") || "" });
      if (met) whoAmI(); // the box's addresses may have changed
      met = true;
      setTimeout(bring, 1500); // while the first bids are made
    },
    onState: take,
    onSeats() {},
    onLine: store.line,
  });
});
