// The first screen of a phone that is nobody's yet: one way to begin, or the free seats.

import { die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { loadStyle } from "../core/lazy.js";
import { settings } from "../core/settings.js";
import { demoOf, isFreshDemo } from "../game/lazy-views.js";
import { livePicture, styled } from "../picture/live-picture.js";
import { openGame } from "./menu.js";
import { freeSeats } from "./seats.js";
import { loadWords, say, word } from "../languages/language.js";

/** Settles with the first screen, once its words and its style sheets are there. */
export async function ready() {
  await Promise.all([loadWords("welcome"), styled, loadStyle(new URL("welcome.css", import.meta.url))]);
  return { welcome, begin };
}

/** The first screen. */
function welcome(ctx) {
  const { state, store } = ctx;
  const { me } = store.get();
  const open = (kind, page) => () => store.change({ sheet: { kind, page } });
  const others = open(me.joined ? "who" : "join");
  if (state.players.length && !isFreshDemo(state)) {
    return h("section", { class: "firstscreen who-are-you", key: "seats" }, h("h1", {}, say.whoAreYou), freeSeats(ctx), button("link", others, { key: "others", "data-item": "who" }, say.otherWays));
  }
  return h(
    "section",
    { class: "firstscreen", key: "first" },
    !seen(state) && die(1, "ivory", { cls: "sign" }),
    h("h1", {}, say.title),
    seen(state) ? livePicture({ players: [] }) : eyes(state),
    begin(ctx),
    settings().played
      ? button("plain", open("rules", "book"), { key: "rules", "data-item": "rules" }, say.rulesTitle)
      : button("plain", open("lesson"), { key: "lesson", "data-item": "lesson" }, word.welcome.newHere),
    button(state.demo ? "plain" : "link", others, { key: "others", "data-item": "who" }, state.demo ? word.welcome.friends : say.otherWays),
  );
}

/** The button that begins; null where a game is played. */
function begin(ctx) {
  const { state } = ctx;
  if (isFreshDemo(state)) return demoOf(ctx, "play");
  return state.players.length ? null : button("go", () => openGame(ctx), { key: "begin", "data-item": "game" }, say.newGame);
}

// Whether a camera looks at the table.
const seen = ({ demo, camera }) => !demo && camera.ok && !camera.phone;

// What will count the dice, where no picture says it.
function eyes({ demo, camera }) {
  if (demo || camera.phone) return h("p", { class: "quiet", key: "short" }, demo ? word.welcome.inShort : word.welcome.phone);
  return h("a", { class: "quiet", key: "none", href: "/box" }, word.welcome.noCamera);
}
