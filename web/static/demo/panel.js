// The virtual panel: a drawing of the real one. A press moves the same pins as on the real one.

import { h } from "../core/dom.js";
import { loadStyle } from "../core/lazy.js";
import { say } from "../languages/language.js";

/** Settles with the sheet, once its style sheet is there. */
export async function ready() {
  await loadStyle(new URL("demo.css", import.meta.url));
  return { sheet };
}

/** [title, content]. */
const sheet = ({ state, post }) => [say.panel, state.panel && state.panel.virtual && drawing(state, post)];

function drawing(state, post) {
  const lit = (name) => state.panel.lamps[name] || "off";
  return h(
    "div",
    { class: "panel", key: "panel" },
    h("span", { class: `lamp statuslamp ${state.panel.status}`, role: "img", "aria-label": say.statusLamp[state.panel.status] }),
    h(
      "ul",
      { class: "seatlamps" },
      state.players.map(({ name }) =>
        h(
          "li",
          { key: name },
          h("span", { class: `lamp ${lit(name)}`, role: "img", "aria-label": say.lamp(name, lit(name)) }),
          h("bdi", { class: "lampname" }, name),
        ),
      ),
    ),
    h(
      "div",
      { class: "buttons" },
      cap("dudo", say.dudo, lit("dudo"), post),
      state.calza !== false && cap("calza", say.calza, lit("calza"), post),
    ),
  );
}

function cap(name, label, lamp, post) {
  return h(
    "button",
    {
      type: "button",
      class: `cap ${name} lamp-${lamp}`,
      key: name,
      "data-button": name,
      "aria-label": `${label}, ${say.lamp(say.panel, lamp)}`,
      mount: (element) => hold(element, name, post),
    },
    h("span", { class: "ring", "aria-hidden": "true" }),
    h("span", { class: "captext" }, label),
  );
}

// A press and its release are two requests; the second waits for the first, so that their order is kept.
function hold(element, name, post) {
  let down = false;
  let last = Promise.resolve();
  const send = (action) => {
    last = last.then(() => post(`panel/${name}/${action}`, {}, { quiet: true }));
  };
  const press = () => {
    if (down) return;
    down = true;
    element.classList.add("down");
    send("press");
  };
  const release = () => {
    if (!down) return;
    down = false;
    element.classList.remove("down");
    send("release");
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    try {
      element.setPointerCapture(event.pointerId); // a release outside the button counts too
    } catch {
      // A pointer that is already gone cannot be captured; pointerup or blur releases the button anyway.
    }
    press();
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) element.addEventListener(type, release);
  element.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (!event.repeat) press();
  });
  element.addEventListener("keyup", (event) => {
    if (event.key === " " || event.key === "Enter") release();
  });
  element.addEventListener("click", (event) => {
    if (event.detail === 0 && !down) {
      press(); // a screen reader's click has neither pointer nor key
      release();
    }
  });
  element.addEventListener("contextmenu", (event) => event.preventDefault());
}
