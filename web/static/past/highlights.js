// The card of a game: the winner, the best bluff, the luckiest call, everybody's dice round by round, and who took whose. One
// drawing, for the page and for the picture that is shared.

import { die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { loadStyle } from "../core/lazy.js";
import { faceName, language, loadWords, say, word } from "../languages/language.js";

const [WIDTH, HEIGHT] = [1080, 1350];
const [LEFT, RIGHT, TOP, BOTTOM] = [60, 1020, 530, 800]; // of the curves
/** The part of the card with the curves. */
export const PLOT = `${LEFT - 20} ${TOP - 40} ${RIGHT - LEFT + 40} ${BOTTOM - TOP + 60}`;
const MOST_TAKINGS = 2;
const SMALLEST = 0.72; // how far a text is squeezed
const FONTS = { mark: [800, 44], title: [800, 88], head: [700, 34], fact: [800, 50], small: [500, 38], day: [400, 34] }; // weight, size
const DASHES = ["", "28 12", "4 14", "40 12 4 12", "16 16", "2 20", "28 8 4 8 4 8", "8 8"];
const COPIED = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "opacity", "font-family", "text-anchor"];

/** Settles once the words and the style sheet are there. */
export const ready = () => Promise.all([loadWords("past"), loadStyle(new URL("past.css", import.meta.url))]);

let asked = ""; // the end whose highlights were asked for
let known = null; // the highlights, once they are there

/** The highlights of the game that has just been won; null until they are there, which calls `redraw`. */
export function highlightsOf(state, redraw) {
  const end = `${state.game} ${state.undo ? state.undo.number : ""}`;
  if (asked !== end) {
    asked = end;
    known = null;
    fetch("/api/v1/story", { cache: "no-store" })
      .then((answer) => answer.json())
      .then(({ highlights }) => {
        if (asked === end) known = highlights;
        redraw();
      })
      .catch(() => {}); // the page shows the winner without it
  }
  const colourOf = (name) => (state.players.find((player) => player.name === name) || {}).colour;
  return known && { ...known, curves: known.curves.map((curve) => ({ ...curve, colour: curve.colour || colourOf(curve.name) })) };
}

/** "12 %". */
export const percent = (share) => share.toLocaleString(language, { style: "percent", maximumFractionDigits: 0 });

/** What the review of a game is called on the phone of `mine`. */
export const decisionsOf = (names, mine) => word.past.review[names.includes(mine) ? "mine" : "decisions"];

/** Of how many such cases one is so; 0 where it is hardly ever. */
export const oneIn = (share) => share && Math.round(1 / share);

/** The card and the button that shares it. `when`: the day of the game, as text; `hidden`: it is only shared. */
export function gameCard(found, when, hidden = false) {
  return [
    h("div", { hidden, key: "card" }, drawing(found, when)),
    button("link share", ({ currentTarget }) => share(currentTarget.parentNode.querySelector(".gamecard"), found), { key: "share", "data-item": "share" }, word.past.share),
  ];
}

function drawing({ winner, bluff, call, curves, takings }, when) {
  const of = (name) => curves.find((curve) => curve.name === name) || {};
  const title = winner ? say.won(winner) : word.past.ended;
  const faces = [1, 6, 1].map((face, n) => die(face, of(winner).colour || "ivory", { key: n }));
  const told = [title, bluff && say.pair(word.past.bestBluff, bluffLine(bluff)), call && say.pair(word.past.luckiestCall, callLine(call)), ...takings.map(({ by, of: from, dice }) => word.past.took(by, from, dice))];
  return h(
    "svg",
    { class: "gamecard", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img", "aria-label": told.filter(Boolean).join(". "), key: "gamecard" },
    h("rect", { class: "table", x: 0, y: 0, width: WIDTH, height: HEIGHT }),
    text("mark", 60, 92, "Perudo", 400),
    text("day end", RIGHT, 92, when, 520),
    faces.map((each, n) => placed(each, 345 + n * 135, 140, 120)),
    text("title middle", WIDTH / 2, 375, title, 960),
    text("head middle", WIDTH / 2, 480, word.past.diceByRound, 900),
    plot(curves),
    legend(curves),
    fact(60, word.past.bestBluff, bluff, bluff && word.past.bluffLikely(percent(bluff.likely)), word.past.noBluff),
    fact(555, word.past.luckiestCall, call, call && word.past.callLikely(percent(call.likely)), word.past.noCall),
    takings.length > 0 && text("head", 60, 1215, word.past.whoTook, 900),
    takings.slice(0, MOST_TAKINGS).map(({ by, of: from, dice }, n) => text("small", 60, 1268 + n * 52, word.past.took(by, from, dice), 960)),
  );
}

const bluffLine = ({ player, round, count, face, likely }) => `${player}, ${word.past.inRound(round)}, ${count} ${faceName(face, count)}, ${word.past.bluffLikely(percent(likely))}`;
const callLine = ({ player, kind, round, count, face, likely }) => `${say.calls(player, kind)}, ${word.past.inRound(round)}, ${count} ${faceName(face, count)}, ${word.past.callLikely(percent(likely))}`;

const measure = document.createElement("canvas").getContext("2d");

// Text that is squeezed where it would be wider than `most`, and cut where that makes it too small.
function text(cls, x, y, content, most) {
  const [weight, size] = FONTS[cls.split(" ")[0]];
  measure.font = `${weight} ${size}px system-ui, sans-serif`;
  const wide = (shown) => measure.measureText(shown).width;
  const scale = Math.max(SMALLEST, Math.min(1, most / wide(content)));
  let shown = content;
  for (let kept = content; wide(shown) * scale > most && kept; shown = `${kept.trimEnd()}…`) kept = kept.slice(0, -1);
  return h("text", { class: cls, x, y, "font-weight": weight, "font-size": Math.round(size * scale), key: `${x} ${y}` }, shown);
}

const placed = (drawn, x, y, size) => ({ ...drawn, props: { ...drawn.props, x, y, width: size, height: size, key: `${x} ${y}` } });

/** Everybody's dice round by round, as children of an SVG. */
export function plot(curves) {
  const rounds = Math.max(...curves.map(({ dice }) => dice.length), 2) - 1;
  const most = Math.max(1, ...curves.flatMap(({ dice }) => dice));
  const middle = (curves.length - 1) / 2;
  const x = (round) => LEFT + (round / rounds) * (RIGHT - LEFT);
  const y = (dice, n) => BOTTOM - (dice / most) * (BOTTOM - TOP) + (dice ? (n - middle) * 7 : 0); // so that none hides another
  const steps = ({ dice }, n) => {
    const until = dice.indexOf(0) < 0 ? dice.length : dice.indexOf(0) + 1;
    return dice.slice(0, until).map((count, round) => `${x(round)},${y(count, n)}`).join(" ");
  };
  return [
    h("line", { class: "axis", x1: LEFT, y1: BOTTOM, x2: RIGHT, y2: BOTTOM, key: "axis" }),
    curves.map((curve, n) => h("polyline", { ...lineOf(curve, n), points: steps(curve, n), key: `path ${curve.name}` })),
  ];
}

/** How the line of the curve `n` looks: a colour and dashes. */
export const lineOf = ({ colour }, n) => ({ class: `path ${colour || `of-${n % 6}`}`, "stroke-dasharray": DASHES[n % DASHES.length] });

function legend(curves) {
  const across = curves.length > 4 ? 4 : curves.length;
  const wide = (RIGHT - LEFT) / across;
  return curves.map((curve, n) => {
    const [x, y] = [LEFT + (n % across) * wide, 868 + Math.floor(n / across) * 56];
    return [
      h("line", { ...lineOf(curve, n), x1: x, y1: y - 11, x2: x + 60, y2: y - 11, key: `key ${curve.name}` }),
      text("small", x + 74, y, curve.name, wide - 84),
    ];
  });
}

function fact(x, title, found, likely, otherwise) {
  return [
    h("rect", { class: "box", x, y: 965, width: 465, height: 195, rx: 24, key: `box ${title}` }),
    text("head", x + 28, 1013, title, 410),
    found
      ? [
          text("fact", x + 28, 1080, found.player, 210),
          text("fact end", x + 355, 1080, `${found.count} ×`, 110),
          placed(die(found.face, "ivory"), x + 373, 1033, 62),
          text("small", x + 28, 1132, likely, 410),
        ]
      : text("small", x + 28, 1090, otherwise, 410),
  ];
}

// The drawing as a picture, with its style in it: a picture of its own knows no style sheet.
async function pictureOf(drawn) {
  const copy = drawn.cloneNode(true);
  const copies = [copy, ...copy.querySelectorAll("*")];
  [drawn, ...drawn.querySelectorAll("*")].forEach((element, n) => {
    const style = getComputedStyle(element);
    for (const name of COPIED) copies[n].setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  canvas.getContext("2d").drawImage(image, 0, 0, WIDTH, HEIGHT);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

// With https the phone's own sheet offers where to send it; else, or where there is none, it is saved.
async function share(drawn, { winner }) {
  const blob = await pictureOf(drawn);
  const file = new File([blob], `perudo${winner ? `-${winner}` : ""}.png`, { type: "image/png" });
  if (navigator.canShare && navigator.canShare({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => {}); // whoever closes the sheet wants nothing
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
