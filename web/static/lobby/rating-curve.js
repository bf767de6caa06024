// A rating, game by game: the curve in a band of its uncertainty, and the same in figures.

import { h } from "../core/dom.js";
import { word } from "../languages/language.js";
import { figure, gameAddress } from "./names.js";

const [WIDE, HIGH] = [300, 150];
const STEP = 50; // rating points that the scale is rounded to

/** The curve of `points`, `{game, rating, uncertainty}`, the oldest first. */
export function ratingCurve(points) {
  if (points.length < 2) return h("p", { class: "quiet", key: "one" }, word.lobby.curveOne);
  return h("div", { class: "curve-of", key: "curve" }, h("div", {}, plot(points), h("p", { class: "quiet" }, word.lobby.curveMeans)), figures(points));
}

function plot(points) {
  const low = Math.floor(Math.min(...points.map(({ rating, uncertainty }) => rating - uncertainty)) / STEP) * STEP;
  const high = Math.ceil(Math.max(...points.map(({ rating, uncertainty }) => rating + uncertainty)) / STEP) * STEP;
  const x = (n) => (n / (points.length - 1)) * WIDE;
  const y = (rating) => HIGH - ((rating - low) / (high - low)) * HIGH;
  const line = (value) => points.map((point, n) => `${x(n).toFixed(1)},${y(value(point)).toFixed(1)}`);
  const band = [...line(({ rating, uncertainty }) => rating + uncertainty), ...line(({ rating, uncertainty }) => rating - uncertainty).reverse()];
  const last = points[points.length - 1];
  return h(
    "div",
    { class: "plot" },
    h("div", { class: "scale quiet", "aria-hidden": "true" }, [high, (high + low) / 2, low].map((value) => h("span", { key: value }, figure(value)))),
    h(
      "svg",
      { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": word.lobby.curveSays(points.length, figure(points[0].rating), figure(last.rating), figure(last.uncertainty)) },
      [0, HIGH / 2, HIGH].map((at) => h("line", { class: "grid", key: `grid ${at}`, x1: 0, y1: at, x2: WIDE, y2: at })),
      h("polygon", { class: "band", points: band.join(" ") }),
      h("polyline", { class: "curve", points: line(({ rating }) => rating).join(" ") }),
    ),
  );
}

const figures = (points) =>
  h(
    "section",
    { class: "in-figures", key: "figures" },
    h("h3", {}, word.lobby.inFigures),
    h(
      "div",
      { class: "scrolls", tabindex: 0, role: "region", "aria-label": word.lobby.inFigures },
      h(
        "table",
        { class: "figures named" },
        h("thead", {}, h("tr", {}, [word.lobby.game, word.lobby.rating].map((title, n) => h("th", { key: n, scope: "col", class: n ? "" : "who" }, title)))),
        h("tbody", {}, points.map(({ game, rating, uncertainty }, n) => h("tr", { key: game }, h("th", { scope: "row" }, h("a", { href: gameAddress(game) }, n + 1)), h("td", {}, figure(rating), h("span", { class: "pm" }, ` ± ${figure(uncertainty)}`)))).reverse()),
      ),
    ),
  );
