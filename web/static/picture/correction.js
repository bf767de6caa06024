// Correcting a reading: a die tapped on the picture, and a die that was missed.

import { die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { backAgain, closeTo, viewOf } from "./gestures.js";
import { boxAt, crop, dieName, picture } from "./picture.js";
import { say } from "../languages/language.js";
import { tiles } from "./player-tiles.js";
import { seenAt } from "./zoom.js";

const NARROW = 3.8; // die widths of a tile, of which three fit a phone
const FACES = [1, 2, 3, 4, 5, 6];
const LIKELY = 0.05; // a face with a lower probability is not marked as likely

/** What a tap on a die does: it asks which face is up. */
export const asks = ({ state, store }) => (touched) => store.change({ sheet: { kind: "die", reading: state.reading.id, id: touched.id } });

/** The players' dice on the judged picture, close by, two players in a row. */
export const closely = (ctx, { highlight = false } = {}) =>
  ctx.state.reading && tiles(ctx.state, { run: ctx.run, highlight, onDie: asks(ctx), across: (width) => (width > 2 * NARROW ? 1 : width > NARROW ? 2 : 3) });

/** The judged picture, on which dice can be tapped; while a missed die is added, with its box and form. */
export function touchPicture(ctx, { highlight = false } = {}) {
  const { state, store, run } = ctx;
  const { reading } = state;
  const { sheet } = store.get();
  const added = addedTo(reading, sheet);
  const open = (part) => store.change({ sheet: { kind: "place", reading: reading.id, colour: null, box: null, ...addedTo(reading, store.get().sheet), ...part } });
  const redraw = () => store.change({});
  const close = () => {
    store.change({ sheet: null });
    const shown = document.querySelector(".picture"); // a verdict has put it away
    if (shown) backAgain(shown, { reading, redraw });
  };
  const put = (at) => {
    const box = boxAt(reading, at);
    open({ box });
    return box;
  };
  const latest = () => (addedTo(reading, store.get().sheet) || { box: null }).box;
  const toShelf = () => document.querySelector(".shelf .facebutton").focus();
  return picture(reading, {
    run,
    highlight,
    names: state.players.map((player) => player.name),
    selected: sheet && sheet.kind === "die" ? sheet.id : null,
    adding: added && { box: added.box, onBox: (box) => open({ box }), put, latest, onCancel: close, onGo: toShelf },
    redraw,
    onDie: asks(ctx),
    onPlace: put,
    onAdd: (event) => (added ? close() : begin(event, { reading, redraw }, open, put)),
    below: added && shelf(ctx, added, open, close),
  });
}

const addedTo = (reading, sheet) => (sheet && sheet.kind === "place" && sheet.reading === reading.id ? sheet : null);

// A finger draws the box; for the keyboard it starts in the middle of the view.
function begin(event, options, open, put) {
  if (event.detail !== 0) {
    open({});
    return;
  }
  const svg = event.currentTarget.closest(".pictured").querySelector(".picture");
  const { reading } = options;
  closeTo(svg, put(seenAt(viewOf(reading.id), [reading.width / 2, reading.height / 2])), options);
  const focus = () => svg.querySelector(".frame") && svg.querySelector(".frame").focus({ preventScroll: true });
  requestAnimationFrame(() => requestAnimationFrame(focus)); // once it is drawn
}

// The form for the missed die: under the picture, or on a phone at the foot of the screen, so that it covers no die.
function shelf({ state, store, post, run }, { box, colour: picked }, open, close) {
  const { reading } = state;
  const missing = reading.problems.find((problem) => problem.code === "missing");
  const owner = missing && state.players.find((player) => player.name === missing.player);
  const likely = (owner || state.players[0]).colour;
  const colour = picked || likely;
  const done = (face) => {
    const now = addedTo(reading, store.get().sheet); // at the tap, not at the last drawing
    if (now) post("dice", { box: now.box, face, colour: now.colour || likely }).then((added) => added && close());
  };
  return h(
    "section",
    { class: "shelf", key: "shelf", role: "group", "aria-label": say.addDie, mount: seenAbove, on: { keydown: (event) => event.key === "Escape" && close() } },
    h(
      "header",
      {},
      box && (crop(reading, box, { run, cls: "near" }) || h("span", { class: "crop near" })),
      h("h2", {}, say.addDie),
      button("icon close", close, { "aria-label": say.close }, "×"),
    ),
    h("p", { class: "quiet", role: "status" }, box ? say.addHint : say.drawHint),
    box && colourRow(state, colour, (chosen) => open({ colour: chosen })),
    box && faceRow(FACES, colour, done),
  );
}

// Scrolls the picture to the top: on a phone the form covers the lower half, on a computer it is under the picture.
function seenAbove(element) {
  requestAnimationFrame(() => element.isConnected && element.closest(".pictured").scrollIntoView({ block: "start" }));
}

/** The form for a tapped die: its face, with the likely ones marked, its colour, or that it is not a die. */
export function correctionForm({ state, post, run }, touched, after) {
  const share = new Map(touched.likeliest);
  return h(
    "div",
    { class: "putright" },
    crop(state.reading, touched.box, { run, cls: "big", label: dieName(touched) }),
    h("p", {}, say.whatIs),
    faceRow(FACES, touched.colour, (face) => after(post(`dice/${touched.id}`, { face })), {
      chosen: touched.uncertain ? 0 : touched.face,
      likely: (face) => (share.get(face) || 0) >= LIKELY,
    }),
    h("p", {}, say.colour),
    colourRow(state, touched.colour, (colour) => post(`dice/${touched.id}`, { colour })),
    button("plain danger", () => after(post(`dice/${touched.id}/strike`)), {}, say.strike),
  );
}

function faceRow(faces, colour, onFace, { chosen = 0, likely = () => false } = {}) {
  return h(
    "div",
    { class: "facerow", key: "faces" },
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
    { class: "colourrow", key: "colours" },
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
