// The seconds before and after the judged frame: a picture of small frames, of which one after the other is shown.

import { button, h } from "../core/dom.js";
import { say } from "../languages/language.js";

const HOLD = 900; // ms that the judged frame is shown
const AFTERWARDS = 3000; // ms after which a board plays the clip: the verdict has fallen then
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** The button that plays the clip of the reading, or the clip while it plays; null if there is none. */
export function filmCard({ state, store, run }) {
  const { clip, id } = state.reading;
  if (!clip) return null;
  const off = () => store.change({ film: null });
  if (store.get().film !== id) return button("plain replay", () => store.change({ film: id }), { key: "replay" }, h("span", { "aria-hidden": "true" }, "▶ "), say.replay);
  return h("div", { class: "filmed", key: "filmed" }, film(clip, run, off), button("icon close", off, { "aria-label": say.close }, "×"));
}

/** The clip over a board's picture: it plays once. */
export const filmOnce = ({ clip }, run) => clip && !STILL.matches && film(clip, run, () => {}, AFTERWARDS);

function film(clip, run, ended, wait = 0) {
  const { width, height, columns, frames, picture } = clip;
  return h(
    "svg",
    {
      class: "film",
      key: `film-${picture}`,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": say.replay,
      mount: (svg) => play(svg, clip, ended, wait),
      unmount: (svg) => clearTimeout(svg._timer),
    },
    h("image", { href: `${picture}${run ? `?run=${run}` : ""}`, width: columns * width, height: Math.ceil(frames / columns) * height }),
    h("rect", { class: "moment", x: 0, y: 0, width, height }),
  );
}

function play(svg, { width, height, columns, frames, judged, seconds }, ended, wait) {
  const each = (1000 * seconds) / Math.max(frames - 1, 1);
  const show = (n) => {
    if (n === frames) {
      svg.classList.remove("plays");
      ended();
      return;
    }
    svg.classList.add("plays");
    svg.classList.toggle("now", n === judged);
    svg.dataset.frame = n;
    const image = svg.querySelector("image");
    image.setAttribute("x", -(n % columns) * width);
    image.setAttribute("y", -Math.floor(n / columns) * height);
    svg._timer = setTimeout(() => show(n + 1), n === judged || n === frames - 1 ? HOLD : each);
  };
  svg._timer = setTimeout(() => show(0), wait);
}
