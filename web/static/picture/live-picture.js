// The camera's picture, live; until its first frame is there, the players' cups.

import { h } from "../core/dom.js";
import { loadStyle } from "../core/lazy.js";
import { plays } from "../game/players.js";
import { say } from "../languages/language.js";

/** Settles once the style sheet of the live picture applies. */
export const styled = loadStyle(new URL("live.css", import.meta.url));

const EVERY = 200; // ms between two pictures
const AFTER_FAILURE = 1500;

/** The players' cups, and over them the camera's picture, fetched again and again while it is shown; `live`: whether there is one. */
export const livePicture = (state, { live = true } = {}) =>
  h(
    "div",
    { class: "await", key: "await" },
    cups(state),
    live && h("img", { class: "live", key: "live", alt: say.live, width: 960, height: 720, mount: startLive, unmount: stopLive }),
  );

// A cup for each player with dice, in the player's colour, on a table seen from a seat.
function cups({ players }) {
  const all = players.filter(plays);
  const place = (n) => {
    const turn = Math.PI * (1.25 + (2 * n) / all.length);
    return [160 + 112 * Math.cos(turn), 128 + 74 * Math.sin(turn)];
  };
  const standing = all.map((player, n) => ({ player, at: place(n) })).sort((a, b) => a.at[1] - b.at[1]);
  return h(
    "svg",
    { class: "cups", key: "cups", viewBox: "0 0 320 240", "aria-hidden": "true", focusable: "false" },
    h("ellipse", { class: "cloth", cx: 160, cy: 140, rx: 156, ry: 94 }),
    standing.map(({ player, at: [x, y] }, n) =>
      h(
        "g",
        { key: player.name, transform: `translate(${x} ${y})` },
        h("ellipse", { class: "shadow", cx: 3, cy: 26, rx: 31, ry: 9 }),
        h(
          "g",
          { class: `cupped ${player.colour}`, mount: (element) => element.style.setProperty("--n", String(n)) },
          h("path", { class: "side", d: "M-19 -26 L-27 24 A27 8 0 0 0 27 24 L19 -26 Z" }),
          h("path", { class: "light", d: "M-13 -22 L-19 26 A27 8 0 0 0 -10 30 L-7 -21 Z" }),
          h("ellipse", { class: "top", cx: 0, cy: -26, rx: 19, ry: 6 }),
          h("path", { class: "rim", d: "M-27 24 A27 8 0 0 0 27 24" }),
        ),
      ),
    ),
  );
}

// Each picture is requested when the last one has arrived: a slow network gets fewer pictures, never a queue.
function startLive(image) {
  const live = { n: 0, timer: 0, on: true };
  image._live = live;
  const ask = () => {
    if (!live.on) return;
    live.n += 1;
    image.src = `/api/v1/frame.jpg?n=${live.n}`;
  };
  const later = (ms) => {
    clearTimeout(live.timer);
    live.timer = setTimeout(ask, ms);
  };
  image.addEventListener("load", () => {
    image.classList.add("seen");
    later(EVERY);
  });
  image.addEventListener("error", () => {
    image.classList.remove("seen");
    later(AFTER_FAILURE);
  });
  ask();
}

function stopLive(image) {
  image._live.on = false;
  clearTimeout(image._live.timer);
}
