// The virtual panel: a drawing of the real one. A press moves the same pins as on the real one.

import { button, h } from "../core/dom.js";
import { alone } from "../core/identity.js";
import { say } from "../languages/language.js";

let open = false; // whether a player among robots has it out

/** The panel, if it is a virtual one; in a drawer for who plays with robots only, and has all buttons on the phone. */
export function panel({ state, store, post }) {
  if (!state.panel || !state.panel.virtual) return null;
  if (!alone(store.get().me, state)) return drawing(state, post);
  const toggle = () => {
    open = !open;
    store.change({});
  };
  return h("div", { class: "drawer", key: "drawer" }, button("link", toggle, { key: "open", "aria-expanded": String(open) }, say.panel), open && drawing(state, post));
}

function drawing(state, post) {
  const lit = (name) => state.panel.lamps[name] || "off";
  return h(
    "section",
    { class: "panel", key: "panel", "aria-label": say.panel },
    h("h2", { class: "hidden" }, say.panel),
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
