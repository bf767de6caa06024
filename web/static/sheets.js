// What opens over the page: a die to put right, a die to add, counting by hand, a new game, who says calza, the menu.

import { dialog } from "./dialog.js";
import { die } from "./dice.js";
import { button, h } from "./dom.js";
import { boxAt, crop, dieName } from "./picture.js";
import { whoButtons } from "./view-bid.js";
import { game } from "./view-game.js";
import { hand } from "./view-hand.js";
import { counting, mayCount, menu } from "./view-menu.js";
import { storyView } from "./view-story.js";
import { undoing } from "./view-undo.js";
import { say } from "./words.js";

const REVEALED = ["rolling", "reading", "checking", "telling", "verdict", "over"];
const READ = ["checking", "telling", "verdict", "over"];
const IN_A_BREAK = ["game", "menu"];
const LIKELY = 0.05; // a face with less of a chance is not marked as one of the likeliest

/** The sheet as it fits this state, or null: one that has lost its purpose closes by itself. */
export function fitting(state, sheet) {
  if (!sheet) return null;
  if (sheet.kind === "game") return sheet;
  if (sheet.kind === "story") return sheet;
  if (sheet.kind === "menu") return ["seating", "over"].includes(state.phase) ? null : sheet;
  if (sheet.kind === "count") return mayCount(state) ? sheet : null;
  if (sheet.kind === "undo") return state.undo && state.undo.step === sheet.step ? sheet : null;
  if (sheet.kind === "hand") return REVEALED.includes(state.phase) ? sheet : null;
  if (sheet.kind === "calza") return state.phase === "bidding" && state.may.calza.length ? sheet : null;
  if (!READ.includes(state.phase) || !state.reading) return null;
  if (sheet.kind === "die") return state.reading.dice.some((d) => d.id === sheet.id) ? sheet : null;
  return sheet.kind === "place" ? sheet : null;
}

/** The open sheet. */
export function sheetView(ctx) {
  const { store } = ctx;
  const { sheet } = store.get();
  if (!sheet || (ctx.state.paused && !IN_A_BREAK.includes(sheet.kind))) return null; // half-made things wait for its end
  const close = () => store.change({ sheet: null });
  const [title, content] = contents(ctx, sheet, close);
  return dialog({ kind: sheet.kind, title, close }, content);
}

function contents(ctx, sheet, close) {
  const { state, store, post } = ctx;
  const after = (promise) => promise.then((done) => done && close());
  if (sheet.kind === "game") return [state.phase === "seating" ? say.welcome : say.newGame, game(ctx)];
  if (sheet.kind === "story") return [say.howItWent, storyView(sheet)];
  if (sheet.kind === "menu") return menu(ctx, sheet, close, after);
  if (sheet.kind === "count") return [say.justTalk, counting(ctx, after)];
  if (sheet.kind === "undo") return [say.undoAsk(state.undo.sentence), undoing(ctx, close, after)];
  if (sheet.kind === "hand") return [say.handTitle, hand(ctx)];
  if (sheet.kind === "calza") {
    return [say.whoCalza, whoButtons(state, state.may.calza, (player) => after(post("calza", { player })))];
  }
  if (sheet.kind === "place") return [say.addDie, place(ctx, sheet, after)];
  const found = state.reading.dice.find((d) => d.id === sheet.id);
  return [found.player ? `${found.player}: ${say.colours[found.colour]}` : say.putRight, putRight(ctx, found, after, store)];
}

function putRight({ state, post, run }, d, after) {
  const share = new Map(d.likeliest);
  const order = [...d.likeliest.map(([face]) => face), d.face, 1, 2, 3, 4, 5, 6];
  const faces = [...new Set(order)];
  return h(
    "div",
    { class: "putright" },
    crop(state.reading, d.box, { run, cls: "big", label: dieName(d) }),
    h("p", {}, say.whatIs),
    faceRow(faces, d.colour, (face) => after(post(`dice/${d.id}`, { face })), {
      chosen: d.uncertain ? 0 : d.face,
      likely: (face) => (share.get(face) || 0) >= LIKELY,
    }),
    h("p", {}, say.colour),
    colourRow(state, d.colour, (colour) => post(`dice/${d.id}`, { colour })),
    button("plain danger", () => after(post(`dice/${d.id}/strike`)), {}, say.strike),
  );
}

/** The box and colour of the die that is being added. */
function placed(state, sheet) {
  const missing = state.reading.problems.find((problem) => problem.code === "missing");
  const owner = missing && state.players.find((player) => player.name === missing.player);
  return { box: boxAt(state.reading, sheet.at), colour: sheet.colour || (owner || state.players[0]).colour };
}

function place({ state, store, post, run }, sheet, after) {
  const { box, colour } = placed(state, sheet);
  return h(
    "div",
    { class: "putright" },
    crop(state.reading, box, { run, cls: "big" }),
    h("p", {}, say.addHint),
    colourRow(state, colour, (picked) => store.change({ sheet: { ...sheet, colour: picked } })),
    faceRow([1, 2, 3, 4, 5, 6], colour, (face) => after(post("dice", { box, face, colour }))),
  );
}

function faceRow(faces, colour, onFace, { chosen = 0, likely = () => false } = {}) {
  return h(
    "div",
    { class: "facerow" },
    faces.map((face) =>
      button(
        `facebutton${likely(face) ? " likely" : ""}${chosen === face ? " chosen" : ""}`,
        () => onFace(face),
        { key: face, "data-face": face, "aria-pressed": String(chosen === face), "aria-label": say.face(face) },
        die(face, colour),
      ),
    ),
  );
}

function colourRow(state, chosen, onColour) {
  const seats = state.players.map((player) => [player.colour, player.name]);
  if (!seats.some(([colour]) => colour === chosen)) seats.push([chosen, ""]);
  return h(
    "div",
    { class: "colourrow" },
    seats.map(([colour, name]) =>
      button(
        `colourbutton${colour === chosen ? " chosen" : ""}`,
        () => onColour(colour),
        { key: colour, "aria-pressed": String(colour === chosen) },
        h("i", { class: `mini ${colour}` }),
        h("span", {}, name ? h("bdi", {}, name) : say.colours[colour]),
      ),
    ),
  );
}
