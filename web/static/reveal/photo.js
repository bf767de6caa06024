// The phone as the camera: its pictures are shrunk here, and each is sent until the box has it. The box knows their keys, and
// takes each once.

import { freshKey } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { acts } from "../core/identity.js";
import { loadWords, say, textOf } from "../languages/language.js";

const SIDE = 2304; // pixels of the longer side, as the box reads them
const SMALL_SIDE = 480; // pixels of what the phone itself shows of a picture that was refused
const QUALITY = 0.92; // as the box keeps judged pictures: at 0.85 small dice are lost
const PATIENCE = 30000; // ms that one try may take
const PAUSES = [500, 1500, 3000, 5000, 8000, 12000]; // ms before the next try

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// An image or a canvas on a canvas whose longer side has at most `side` pixels.
function within(side, image) {
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

// The picture as a JPEG file, turned upright and no larger than the box reads it, and a small one to be shown here.
async function shrink(file) {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const canvas = within(SIDE, bitmap);
    bitmap.close();
    const { width, height } = canvas;
    const small = { href: within(SMALL_SIDE, canvas).toDataURL("image/jpeg"), width, height };
    return { data: (await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY))) || file, small };
  } catch {
    return { data: file, small: null }; // an old browser, or no picture: the box turns and shrinks it, or says that it is none
  }
}

async function once(address, key, csrf, blob) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE);
  try {
    const headers = { "Content-Type": "image/jpeg", "Idempotency-Key": key, ...(csrf ? { "X-Perudo-CSRF": csrf } : {}) };
    const answer = await fetch(address, { method: "POST", headers, body: blob, signal: abort.signal, cache: "no-store" });
    return { ok: answer.ok, status: answer.status, said: await answer.json() };
  } finally {
    clearTimeout(timer);
  }
}

// The refusal of a picture; "" if it was taken, null if the box did not answer.
async function deliver(address, key, csrf, blob, onRepeat) {
  for (const pause of [...PAUSES, 0]) {
    try {
      const { ok, status, said } = await once(address, key, csrf, blob);
      if (status !== 503) return ok ? "" : textOf(said) || say.refused;
    } catch {
      onRepeat();
    }
    await sleep(pause);
  }
  return null;
}

// `now` is told how it goes: {said, busy, failed}.
async function send(ctx, what, files, now) {
  const { store, state, post } = ctx;
  const many = [...files];
  if (!many.length || (state.phase === "checking" && !(await post("again")))) return;
  now({ said: say.photoSends, busy: true });
  const set = freshKey();
  const { me } = store.get();
  for (const [n, file] of many.entries()) {
    const address = `/api/v1/photos/${what}?round=${state.round || 0}&set=${set}&of=${many.length}&number=${n + 1}`;
    const slow = () => now({ said: say.sentAgain, busy: true });
    const { data, small } = await shrink(file);
    now({ said: say.photoSends, busy: true, sent: { set, small } });
    const refused = await deliver(address, freshKey(), me && me.csrf, data, slow);
    if (refused !== "") {
      now({ said: refused === null ? say.noAnswer : refused, failed: true });
      return;
    }
  }
  now({ said: what === "before" ? say.beforeTaken : "" });
}

// A button that opens the phone's camera, or its pictures.
function chooser(cls, label, props, chosen, busy, content = label) {
  const change = ({ currentTarget: input }) => {
    const files = [...input.files];
    input.value = ""; // the same file may be chosen again
    chosen(files);
  };
  return [
    button(cls, ({ currentTarget }) => currentTarget.nextSibling.click(), { key: `take ${label}`, disabled: busy, "aria-label": label, title: label }, content),
    h("input", { type: "file", accept: "image/*", multiple: true, hidden: true, "aria-label": label, key: `file ${label}`, on: { change }, ...props }),
  ];
}

const loaded = ({ store }) => () => loadWords("photo-messages").then(() => store.change({}), () => {});

/** At the head of the page: a picture of what lies on the table before the cups go up. */
export function asideButton(ctx) {
  if (!acts(ctx.store.get().me)) return null;
  const chosen = (files) => send(ctx, "before", files, ({ said, failed }) => ctx.toast(said, failed ? "refused" : ""));
  const camera = h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", mount: loaded(ctx) }, h("path", { d: "M3 8H8L10 5H14L16 8H21V19H3ZM12 10A3 3 0 1 0 12.1 10" }));
  return chooser("icon aside", say.beforePhoto, { capture: "environment" }, chosen, false, camera);
}

/** This phone's picture that was refused, with the dice that were found in it; null if there is none. */
export function refusedPicture({ state, store }) {
  const { photo, found = [] } = state.waiting || {};
  const { sent } = store.get().photo || {};
  if (!found.length || !sent || sent.set !== photo || !sent.small) return null;
  const { href, width, height } = sent.small;
  return h(
    "svg",
    { class: "refused", key: "refused", role: "img", "aria-label": say.picture, viewBox: `0 0 ${width} ${height}` },
    h("image", { href, width, height }),
    found.map(([x, y, w, deep], n) => h("rect", { key: n, x: x * width, y: y * height, width: w * width, height: deep * height })),
  );
}

/** Buttons that take pictures of the dice. */
export function photoButtons(ctx) {
  const { state, store } = ctx;
  const { me, photo } = store.get();
  if (!acts(me)) return null;
  const place = `${state.game} ${state.round}`;
  const { said = "", busy = false, failed = false } = photo && photo.place === place ? photo : {};
  const { ok, phone } = state.camera;
  const reads = state.waiting && state.waiting.code === "reading";
  const cls = state.phase === "reading" && (phone || !ok) && !reads ? "go" : "plain";
  const chosen = (files) => send(ctx, "dice", files, (part) => store.change({ photo: { ...store.get().photo, said: "", busy: false, failed: false, place, ...part } }));
  return h(
    "div",
    { class: "photos row", key: "photos", mount: loaded(ctx) },
    chooser(cls, say.takePhoto, { capture: "environment" }, chosen, busy),
    chooser("plain", say.choosePhotos, {}, chosen, busy),
    said && h("p", { class: failed ? "problem" : "quiet", role: "status", key: "said" }, said),
  );
}
