// Fingers, mouse, wheel and keys on a picture: zooming, moving, tapping a die, drawing a box round one.
//
// A picture moves under the fingers without redrawing the page. Its view is kept here by the number of its reading, so that
// a new state does not move the picture.

import { WHOLE, boxOf, centred, moved, panned, pinched, resized, seenAt, shows, within, zoomed } from "./zoom.js";

const SLIP = 8; // px that a tap may slip
const DOUBLE = 300; // ms between the two taps of a double tap
const LATE = 700; // ms after a tap in which the browser's click may come
const BESIDE = 36; // px between the two taps of a double tap
const CLOSER = 2.6; // zoom factor of a double tap
const FINGER = 22; // px, half of what a finger needs
const GLIDE = 160; // ms
const PAUSE = 300; // ms after the wheel scrolled the page, in which it goes on scrolling the page
const LABELLED = 22; // px, the width of a die on the screen that has room for a label beside it
const GOOD = 76; // px, the side of a new box on the screen

const views = new Map(); // number of the reading -> view
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
let hand = fresh();
let tapped = null; // the first tap of a possible double tap
let turned = 0; // when the page was scrolled last
let gliding = 0;
let before = null; // the view before zooming to a box, to go back to
let settled = 0; // the timer that ends a turn of the wheel
window.addEventListener("scroll", (event) => (turned = event.timeStamp), { passive: true });

function fresh() {
  return { fingers: new Map(), start: WHOLE, from: [], moved: false, tapped: -Infinity, part: "", box: null };
}

/** The view of the picture of the reading with this number. */
export const viewOf = (id) => views.get(id) || WHOLE;

/** The view as a `transform`. */
export const transformOf = ({ k, x, y }) => `scale(${k}) translate(${-x} ${-y})`;

/** The smallest side of a box, in pixels of the picture. */
export const least = ([width]) => Math.max(6, Math.round(width / 160));

const sizeOf = ({ reading }) => [reading.width, reading.height];

function show(svg, { reading }, view) {
  if (views.size > 20) views.clear(); // of old readings
  views.set(reading.id, view);
  svg.querySelector(".scene").setAttribute("transform", transformOf(view));
  svg.classList.toggle("zoomed", view.k > 1);
  measure(svg);
}

/** Tell the style how many pixels of the picture one of the screen is, and whether the dice are large enough for labels. */
export function measure(svg) {
  const inside = svg.querySelector(".scene").getScreenCTM();
  if (!inside || !inside.a) return; // not visible now
  svg.style.setProperty("--px", String(1 / inside.a));
  svg.toggleAttribute("data-labelled", svg.dataset.dieWidth * inside.a >= LABELLED);
}

function glide(svg, options, to) {
  cancelAnimationFrame(gliding);
  const from = viewOf(options.reading.id);
  const began = performance.now();
  const step = (now) => {
    const part = calm.matches ? 1 : Math.min(1, Math.max(0, (now - began) / GLIDE));
    const mix = (name) => from[name] + (to[name] - from[name]) * part;
    show(svg, options, part < 1 ? within({ k: mix("k"), x: mix("x"), y: mix("y") }, sizeOf(options)) : to);
    if (part < 1) gliding = requestAnimationFrame(step);
    else options.redraw();
  };
  step(began);
}

const svgOf = (event) => event.currentTarget.closest(".pictured").querySelector(".picture");

/** The buttons by the picture: zoom by a factor about the middle; 0 shows the whole. */
export function zoomBy(event, factor, options) {
  const svg = svgOf(event);
  const [width, height] = sizeOf(options);
  before = null;
  glide(svg, options, factor ? zoomed(viewOf(options.reading.id), factor, [width / 2, height / 2], [width, height]) : WHOLE);
}

/** Go back to the view before zooming to a box, unless the user has moved it since. */
export function backAgain(svg, options) {
  if (before) glide(svg, options, before);
  before = null;
}

/** Zoom to a box so that a finger can grab it. */
export function closeTo(svg, box, options) {
  const matrix = svg.getScreenCTM();
  const view = viewOf(options.reading.id);
  before = before || view;
  const side = Math.max(box[2], box[3]);
  const near = side * matrix.a * view.k;
  const middle = [box[0] + box[2] / 2, box[1] + box[3] / 2];
  if (near < 2 * FINGER) glide(svg, options, centred(middle, GOOD / (side * matrix.a), sizeOf(options)));
  else if (!shows(view, box, sizeOf(options))) glide(svg, options, centred(middle, view.k, sizeOf(options)));
}

function frame(svg, event) {
  const matrix = svg.getScreenCTM();
  return matrix ? [(event.clientX - matrix.e) / matrix.a, (event.clientY - matrix.f) / matrix.d] : [0, 0];
}

/** Screen pixels per pixel of the picture. */
const scale = (svg, view) => (svg.getScreenCTM() ? svg.getScreenCTM().a * view.k : 1);

// The part of the box that a finger grabs: a corner, "move", or "draw" for a new one.
function grip(box, [px, py], reach) {
  if (!box) return "draw";
  const [x, y, w, h] = box;
  const corners = { nw: [x, y], ne: [x + w, y], sw: [x, y + h], se: [x + w, y + h] };
  const far = (name) => Math.hypot(px - corners[name][0], py - corners[name][1]);
  const nearest = Object.keys(corners).sort((a, b) => far(a) - far(b))[0];
  const inside = px > x && px < x + w && py > y && py < y + h;
  const room = Math.min(w, h) / 4; // so that a small box can be moved too
  if (inside && far(nearest) > Math.min(reach, room)) return "move";
  return far(nearest) <= reach ? nearest : "draw";
}

/** The listeners of a picture that reacts to touch, with the options of `picture`. */
export function listeners(options) {
  const size = sizeOf(options);
  const now = () => viewOf(options.reading.id);

  const rebase = (svg, part) => {
    hand.start = now();
    hand.from = [...hand.fingers.values()];
    hand.part = part;
    hand.box = options.adding ? options.adding.latest() : null;
  };

  function down(event) {
    const svg = event.currentTarget;
    if (event.pointerType === "mouse" && event.button !== 0) return;
    if (event.isPrimary) hand = fresh(); // forget earlier fingers
    if (hand.fingers.size >= 2) return;
    cancelAnimationFrame(gliding);
    hand.fingers.set(event.pointerId, frame(svg, event));
    if (hand.fingers.size === 2) {
      if (options.adding && hand.moved) options.adding.onBox(hand.box); // it was the first of two fingers, not a box
      hand.moved = true;
      for (const id of hand.fingers.keys()) svg.setPointerCapture(id);
      rebase(svg, "pinch");
      return;
    }
    const at = seenAt(now(), frame(svg, event));
    rebase(svg, options.adding ? grip(options.adding.latest(), at, FINGER / scale(svg, now())) : "pan");
  }

  function move(event) {
    const svg = event.currentTarget;
    if (!hand.fingers.has(event.pointerId)) return;
    if (event.pointerType === "mouse" && !event.buttons) {
      hand.fingers.delete(event.pointerId); // released elsewhere
      return;
    }
    hand.fingers.set(event.pointerId, frame(svg, event));
    const points = [...hand.fingers.values()];
    if (hand.part === "pinch") {
      before = null;
      if (points.length === 2) show(svg, options, pinched(hand.start, hand.from, points, size));
      return;
    }
    const gone = [points[0][0] - hand.from[0][0], points[0][1] - hand.from[0][1]];
    if (!hand.moved) {
      if (Math.hypot(...gone) * svg.getScreenCTM().a < SLIP) return;
      if (hand.part === "pan" && hand.start.k === 1) return; // the page scrolls
      hand.moved = true;
      svg.setPointerCapture(event.pointerId);
    }
    if (hand.part === "pan") {
      before = null;
      show(svg, options, panned(hand.start, gone, size));
      return;
    }
    if (!options.adding) return;
    const { onBox } = options.adding;
    const by = [gone[0] / hand.start.k, gone[1] / hand.start.k];
    if (hand.part === "move") onBox(moved(hand.box, by, size));
    else if (hand.part === "draw") onBox(boxOf(seenAt(hand.start, hand.from[0]), seenAt(hand.start, points[0]), size, least(size)));
    else onBox(resized(hand.box, hand.part, by, size, least(size)));
  }

  function up(event) {
    const svg = event.currentTarget;
    if (!hand.fingers.delete(event.pointerId)) return;
    if (hand.fingers.size) rebase(svg, "pan"); // one of two fingers is left
    else if (hand.moved) {
      options.redraw();
      if (hand.part === "draw" && options.adding && options.adding.latest()) closeTo(svg, options.adding.latest(), options);
    } else if (event.type === "pointerup" && event.pointerType !== "mouse") {
      hand.tapped = event.timeStamp; // a browser may send no click for a double tap
      touch(svg, event);
    }
  }

  function click(event) {
    const svg = event.currentTarget;
    if (event.detail !== 0 && (hand.moved || event.timeStamp - hand.tapped < LATE)) return;
    const named = event.detail === 0 && event.target.closest("[data-die]"); // a screen reader's click
    const at = seenAt(now(), frame(svg, event));
    act(svg, at, named ? options.reading.dice.find((die) => String(die.id) === named.dataset.die) : under(svg, at));
  }

  const under = (svg, at) => nearest(options.reading.dice, at, FINGER / scale(svg, now()));

  function act(svg, at, found) {
    tapped = null;
    if (options.adding) {
      if (hand.part === "draw") closeTo(svg, options.adding.put(at), options);
    } else if (found) options.onDie(found);
    else closeTo(svg, options.onPlace(at), options);
  }

  // A tap may be the first of a double tap: wait before acting on it.
  function touch(svg, event) {
    const at = seenAt(now(), frame(svg, event));
    const found = under(svg, at);
    if (options.adding) {
      act(svg, at, found);
      return;
    }
    const first = tapped;
    if (first) {
      clearTimeout(first.timer);
      tapped = null;
      if (event.timeStamp - first.time < DOUBLE && Math.hypot(event.clientX - first.x, event.clientY - first.y) < BESIDE) {
        glide(svg, options, now().k > 1.05 ? WHOLE : zoomed(now(), CLOSER, frame(svg, event), size));
        return;
      }
    }
    tapped = { time: event.timeStamp, x: event.clientX, y: event.clientY, timer: setTimeout(() => act(svg, at, found), DOUBLE) };
  }

  function wheel(event) {
    const svg = event.currentTarget;
    const meant = event.ctrlKey || event.metaKey; // a pinch on a touchpad sets ctrlKey too
    if (!meant && event.timeStamp - turned < PAUSE) return; // the page is being scrolled
    if (!meant && event.deltaY > 0 && now().k === 1) return;
    event.preventDefault();
    before = null;
    const lines = event.deltaMode === 1 ? 20 : 1;
    show(svg, options, zoomed(now(), Math.exp(-event.deltaY * lines * (meant ? 0.01 : 0.002)), frame(svg, event), size));
    clearTimeout(settled);
    settled = setTimeout(() => options.redraw(), GLIDE);
  }

  function keydown(event) {
    const svg = event.currentTarget;
    const [width, height] = size;
    const step = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const factor = { "+": 1.5, "=": 1.5, "-": 1 / 1.5, 0: 0 }[event.key];
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && options.adding) options.adding.onCancel();
    else if (factor !== undefined) glide(svg, options, factor ? zoomed(now(), factor, [width / 2, height / 2], size) : WHOLE);
    else if (step && now().k > 1) glide(svg, options, panned(now(), [(step[0] * width) / 8, (step[1] * height) / 8], size));
    else return;
    event.preventDefault();
  }

  // The Tab key also reaches dice outside the view.
  function focusin(event) {
    const named = event.target.closest("[data-die]");
    const die = named && options.reading.dice.find((each) => String(each.id) === named.dataset.die);
    if (!die || hand.fingers.size || shows(now(), die.box, size)) return;
    const [x, y, w, h] = die.box;
    glide(event.currentTarget, options, centred([x + w / 2, y + h / 2], now().k, size));
  }

  // Two fingers never scroll or zoom the page.
  const two = (event) => event.touches.length > 1 && event.cancelable && event.preventDefault();

  return {
    pointerdown: down,
    pointermove: move,
    pointerup: up,
    pointercancel: up,
    click,
    wheel,
    keydown,
    focusin,
    touchstart: two,
    touchmove: two,
  };
}

/** The die under a finger: the nearest within `reach`, no farther from its edge than half its side; null if there is none. */
export function nearest(dice, [px, py], reach) {
  let found = null;
  let shortest = Infinity;
  for (const die of dice) {
    const [x, y, w, h] = die.box;
    const outside = Math.hypot(Math.max(x - px, 0, px - x - w), Math.max(y - py, 0, py - y - h));
    const centre = Math.hypot(px - x - w / 2, py - y - h / 2);
    if (outside <= Math.min(reach, w / 2) && centre < shortest) {
      shortest = centre;
      found = die;
    }
  }
  return found;
}

/** The box of an added die after a key: arrows move it, with Shift they change its size; null for any other key. */
export function keyedBox(event, box, size) {
  const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!by) return null;
  const step = Math.max(1, Math.round(size[0] / 200));
  const far = [by[0] * step, by[1] * step];
  return event.shiftKey ? resized(box, "se", far, size, least(size)) : moved(box, far, size);
}
