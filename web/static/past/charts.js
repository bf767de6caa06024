// Pictures of what the players did: bars and curves in SVG, names and figures beside them as text, so that they grow with
// the letters of the phone.

import { button, h } from "../core/dom.js";
import { language, say, word } from "../languages/language.js";

const MEASURES = ["won", "luck", "calls"];
const MOST_CURVES = 6; // that can be told apart
const WIDTH = 300; // of a picture, which is stretched to the width it has
const HEIGHT = 150; // of the curves

const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })}`;
const rounded = (value) => Math.round(value * 10) / 10 || 0;
const percent = (share) => share.toLocaleString(language, { style: "percent", maximumFractionDigits: 0 });

/** All pictures of the answer of `/statistics`. `measure` is what the curves show, `choose(measure)` changes it. */
export function charts({ statistics: { players }, curves }, { measure, choose }) {
  return [
    luckAndCalls(players),
    calls("dudos", players),
    calls("calzas", players),
    players.some(({ dudos, calzas }) => dudos.called || calzas.called) && h("p", { class: "quiet", key: "means" }, word.past.barMeans),
    h(
      "section",
      { class: "chart", key: "curve" },
      h("h3", {}, word.past.curve),
      h(
        "div",
        { class: "choices" },
        MEASURES.map((name) => button("plain choice", () => choose(name), { key: name, "data-measure": name, "aria-pressed": String(name === measure) }, word.past.measures[name])),
      ),
      curvesOf(curves, measure),
    ),
  ];
}

const picture = (height, label, ...content) =>
  h("svg", { viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label }, ...content);

const bar = (cls, x, y, width, height) => h("rect", { class: cls, x, y, width: Math.max(width, 0), height });
const line = (cls, x1, y1, x2, y2) => h("line", { class: cls, x1, y1, x2, y2 });

// Luck and good calls: two bars for each player, to the left or the right of what chance gives

function luckAndCalls(players) {
  const values = ({ called, dudos, calzas }) => ({
    luck: rounded(called.luck),
    calls: rounded(dudos.right - dudos.expected + (calzas.right - calzas.expected)),
  });
  const most = Math.max(1, ...players.map((player) => Math.max(...Object.values(values(player)).map(Math.abs))));
  const one = (name, measure, value) => {
    const half = (WIDTH / 2) * (Math.abs(value) / most);
    const label = say.pair(`${name}, ${word.past.measures[measure]}`, signed(value));
    return h(
      "div",
      { class: "barline", key: measure },
      picture(16, label, bar(`bar ${measure}`, value < 0 ? WIDTH / 2 - half : WIDTH / 2, 3, half, 10), line("axis", WIDTH / 2, 0, WIDTH / 2, 16)),
      h("span", { class: "figure", "aria-hidden": "true" }, signed(value)),
    );
  };
  return h(
    "section",
    { class: "chart", key: "above" },
    h("h3", {}, word.past.above),
    h("p", { class: "legend" }, ["luck", "calls"].map((measure) => h("span", { key: measure }, h("i", { class: `swatch ${measure}` }), word.past.measures[measure]))),
    players.map((player) => {
      const { luck, calls: good } = values(player);
      return h("div", { class: "chartrow", key: player.name }, h("bdi", { class: "who-is" }, player.name), one(player.name, "luck", luck), one(player.name, "calls", good));
    }),
    h("p", { class: "quiet" }, word.past.aboveMeans),
  );
}

// Dudos or calzas: the share that was right, what chance gives, and how sure the share is

function calls(kind, players) {
  const callers = players.filter((player) => player[kind].called);
  const others = players.filter((player) => !player[kind].called);
  return h(
    "section",
    { class: "chart", key: kind },
    h("h3", {}, word.past.right[kind]),
    callers.map(({ name, [kind]: said }) => oneCaller(name, said)),
    others.length > 0 && h("p", { class: "quiet", key: "never" }, say.pair(others.map(({ name }) => name), word.past.never)),
  );
}

function oneCaller(name, { called, right, expected, likely: [low, high] }) {
  const share = right / called;
  const chance = expected / called;
  const verdict = low > chance ? "better" : high < chance ? "worse" : "unsure";
  const label = say.pair(name, `${word.past.ofCalls(right, called)}, ${word.past.sure[verdict]} (${percent(low)} – ${percent(high)})`);
  return h(
    "div",
    { class: "chartrow", key: name },
    h("div", { class: "callhead" }, h("bdi", { class: "who-is" }, name), h("span", { class: "figure" }, word.past.ofCalls(right, called)), h("span", { class: `sure ${verdict}` }, word.past.sure[verdict])),
    picture(
      22,
      label,
      bar("ground", 0, 4, WIDTH, 14),
      bar("band", low * WIDTH, 0, (high - low) * WIDTH, 22),
      bar("bar share", 0, 7, share * WIDTH, 8),
      line("chance", chance * WIDTH, 0, chance * WIDTH, 22),
    ),
  );
}

// The curves

function curvesOf(curves, measure) {
  const shown = curves.slice(0, MOST_CURVES);
  const points = shown.flatMap((curve) => curve.points);
  const numbers = points.map(({ number }) => number);
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  if (first === last) return h("p", { class: "quiet", key: "one" }, word.past.curveOne);
  const values = points.map((point) => point[measure]);
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  const x = (number) => 2 + ((number - first) / (last - first)) * (WIDTH - 4);
  const y = (value) => HEIGHT - 4 - ((value - low) / (high - low)) * (HEIGHT - 8);
  const figure = measure === "won" ? String : (value) => signed(rounded(value));
  const end = (curve) => curve.points[curve.points.length - 1][measure];
  return [
    h(
      "div",
      { class: "plot", key: "plot" },
      h("div", { class: "scale quiet", "aria-hidden": "true" }, h("span", {}, figure(high)), h("span", {}, figure(low))),
      picture(
        HEIGHT,
        shown.map((curve) => say.pair(curve.name, figure(end(curve)))).join("; "),
        line("axis", 0, y(0), WIDTH, y(0)),
        shown.map((curve, n) => h("polyline", { key: curve.name, class: `curve of-${n}`, points: curve.points.map((point) => `${x(point.number)},${y(point[measure])}`).join(" ") })),
      ),
    ),
    h(
      "ul",
      { class: "legend", key: "legend" },
      shown.map((curve, n) => h("li", { key: curve.name }, h("svg", { class: "key", viewBox: "0 0 28 8", "aria-hidden": "true" }, h("line", { class: `curve of-${n}`, x1: 0, y1: 4, x2: 28, y2: 4 })), h("bdi", {}, curve.name), " ", h("strong", {}, figure(end(curve))))),
    ),
    h("p", { class: "quiet", key: "means" }, word.past.curveMeans(first, last), curves.length > shown.length ? ` ${word.past.curveMost(shown.length)}` : ""),
  ];
}
