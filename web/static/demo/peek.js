// A look under the own cup: the faces are there while the button is held, and are forgotten on release. Who plays against
// robots only sees them openly.

import { h } from "../core/dom.js";
import { die } from "../core/dice.js";
import { faceName, textOf, word } from "../languages/language.js";

const READ_ALOUD = 6000; // ms that they stay after a screen reader's tap, which cannot hold
const AGAIN = 300; // ms until the next try while they are being thrown

let look = null; // {dice, refused}: what is seen while the button is held; `dice` is null until the box has answered

/** The button. `mine` is this phone's player. */
export function peekButton({ state, store }, mine) {
  const { colour } = state.players.find(({ name }) => name === mine);
  const dice = look && look.dice;
  const words = look && look.refused ? look.refused : dice ? (dice.length ? word.demo.yours(dice.map((face) => faceName(face, 1)).join(", ")) : word.demo.thrown) : "";
  return h(
    "div",
    { class: "peekbox", key: "peek" },
    h(
      "button",
      { type: "button", class: `plain peek${look ? " looking" : ""}`, key: "look", "aria-label": word.demo.look, mount: (element) => held(element, store) },
      dice && dice.length
        ? h("span", { class: "owndice", "aria-hidden": "true" }, dice.map((face, n) => die(face, colour, { key: n })))
        : h("span", {}, words || word.demo.look),
    ),
    h("span", { class: "hidden", role: "status", key: "said" }, words),
  );
}

let seen = null; // {throw, dice}: what lies under the own cup, where nobody else could look; `dice` is null until the box has answered

/** The own dice, openly. `mine` is this phone's player. */
export function openDice({ state, store }, mine) {
  const { colour, dice } = state.players.find(({ name }) => name === mine);
  const thrown = `${state.game} ${state.round} ${dice}`;
  if (!seen || seen.throw !== thrown) {
    seen = { throw: thrown, dice: null };
    fetchOpen(seen, store);
  }
  const found = seen.dice || [];
  return h(
    "p",
    { class: "owndice open", key: "open", role: "img", "aria-label": found.length ? word.demo.yours(found.map((face) => faceName(face, 1)).join(", ")) : word.demo.thrown },
    Array.from({ length: dice || found.length }, (_, n) => die(found[n] || 0, colour, { key: n })),
  );
}

async function fetchOpen(now, store) {
  while (seen === now) {
    try {
      const answer = await fetch("/api/v1/demo/dice", { cache: "no-store" });
      const found = answer.ok ? (await answer.json()).dice : [];
      if (found.length) {
        now.dice = found;
        store.change({});
        return;
      }
    } catch {
      // The next try may reach the box.
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

async function fetchDice(mine, store) {
  while (look === mine) {
    try {
      const answer = await fetch("/api/v1/demo/dice", { cache: "no-store" });
      const found = await answer.json();
      if (look !== mine) return; // released meanwhile: what comes now is not kept
      mine.dice = answer.ok ? found.dice : [];
      mine.refused = answer.ok ? "" : textOf(found);
      store.change({});
      if (mine.dice.length) return;
    } catch {
      // The next try may reach the box.
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

function held(element, store) {
  let timer = null;
  const open = () => {
    clearTimeout(timer);
    if (look) return;
    look = { dice: null };
    store.change({});
    fetchDice(look, store);
  };
  const close = () => {
    clearTimeout(timer);
    if (!look) return;
    look = null;
    store.change({});
  };
  const isKey = ({ key }) => key === " " || key === "Enter";
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    try {
      element.setPointerCapture(event.pointerId); // a release outside the button counts too
    } catch {
      // A pointer that is already gone cannot be captured; its end closes it anyway.
    }
    open();
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) element.addEventListener(type, close);
  element.addEventListener("keydown", (event) => {
    if (!isKey(event)) return;
    event.preventDefault();
    if (!event.repeat) open();
  });
  element.addEventListener("keyup", (event) => isKey(event) && close());
  element.addEventListener("click", (event) => {
    if (event.detail !== 0 || look) return;
    open(); // a screen reader's tap: nothing is held
    timer = setTimeout(close, READ_ALOUD);
  });
  element.addEventListener("contextmenu", (event) => event.preventDefault()); // a long press on Android
  const left = () => {
    if (element.isConnected) return;
    close(); // the cups went up, or the turn of the page came, under the finger
    watch.disconnect();
  };
  const watch = new MutationObserver(left);
  watch.observe(document.getElementById("app"), { childList: true, subtree: true });
  document.addEventListener("visibilitychange", close);
}
