// Counting by hand: every player's dice, tapped one by one.

import { die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { FACES } from "../game/legal-bids.js";
import { diceEach, plays } from "../game/players.js";
import { forOpening } from "../game/opening-roll.js";
import { say } from "../languages/language.js";

/**
 * How many dice each player showed: as in the state, or, once judged, as they were counted. Where that is hidden (`open`),
 * there is a place for every die that the player can have, and some stay empty.
 */
export function slots(state) {
  if (state.byhand) {
    const colour = (name) => (state.players.find((player) => player.name === name) || {}).colour;
    return Object.entries(state.byhand).map(([name, faces]) => ({ name, colour: colour(name), dice: faces.length, faces }));
  }
  if (forOpening(state)) {
    const { rolling, dice } = state.opening;
    return state.players.filter((p) => rolling.includes(p.name)).map(({ name, colour }) => ({ name, colour, dice, faces: [] }));
  }
  const playing = state.players.filter(plays);
  return playing.map(({ name, colour, dice }) =>
    dice === null
      ? { name, colour, dice: diceEach(state), faces: [], open: true }
      : { name, colour, dice, faces: read(state, name, dice) },
  );
}

// The initial entries: the dice that the camera is sure of.
function read(state, name, dice) {
  const seen = state.reading ? state.reading.dice.filter((d) => d.player === name && !d.uncertain).map((d) => d.face) : [];
  return seen.length === dice ? seen : [];
}

// The entries so far, if they fit these players, and the die for the next tap.
function filling(sheet, players, key) {
  const kept = sheet && sheet.key === key;
  const begun = (p) => Array.from({ length: p.dice }, (_, n) => p.faces[n] || 0);
  const faces = kept ? sheet.faces : Object.fromEntries(players.map((p) => [p.name, begun(p)]));
  const all = players.flatMap((p) => faces[p.name].map((_, n) => [p.name, n]));
  const open = new Set(players.filter((p) => p.open).map((p) => p.name));
  const left = all.filter(([name, n]) => !faces[name][n] && (!open.has(name) || !faces[name].some(Boolean)));
  return { faces, all, left, at: kept && sheet.slot ? sheet.slot : left[0] || all[0] };
}

/** The form; the entries are kept in the sheet. */
export function handCount(ctx) {
  const { state, store, post } = ctx;
  const { busy } = store.get();
  const players = slots(state);
  const key = players.map((p) => `${p.name}:${p.dice}`).join();
  const made = () => filling(store.get().sheet, players, key);
  const { faces, at, left } = made();
  const change = (part) => store.change({ sheet: { ...store.get().sheet, key, ...part } });

  const put = (face) => {
    const now = made(); // at the tap, not at the last drawing, so that quick taps fill one die after the other
    const [name, n] = now.at;
    const filled = { ...now.faces, [name]: now.faces[name].map((old, i) => (i === n ? face : old)) };
    const here = now.all.findIndex(([other, i]) => other === name && i === n);
    const empty = ([other, i]) => !filled[other][i];
    change({ faces: filled, slot: now.all.slice(here + 1).find(empty) || now.all.find(empty) || now.at });
  };
  const done = async () => {
    const dice = Object.fromEntries(Object.entries(made().faces).map(([name, shown]) => [name, shown.filter(Boolean)]));
    if (await post("byhand", { dice })) store.change({ sheet: null });
  };
  const player = players.find((p) => p.name === (at ? at[0] : ""));

  return h(
    "div",
    { class: "hand", key: "hand" },
    h("p", { class: "quiet" }, say.handHint),
    players.map((p) =>
      h(
        "div",
        { class: `handrow${at && at[0] === p.name ? " here" : ""}`, key: p.name, role: "group", "aria-label": p.name },
        h("bdi", { class: "name" }, p.name),
        h(
          "span",
          { class: "slots" },
          faces[p.name].map((face, n) =>
            h(
              "button",
              {
                type: "button",
                key: n,
                class: `slot${face ? "" : " empty"}${at && at[0] === p.name && at[1] === n ? " chosen" : ""}`,
                "aria-label": say.slot(p.name, n + 1, face),
                on: { click: () => change({ faces, slot: [p.name, n] }) },
              },
              die(face, p.colour),
            ),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "handpad" },
      h(
        "div",
        { class: "facerow" },
        FACES.map((face) =>
          button(
            "facebutton",
            () => put(face),
            { key: face, "data-face": face, "aria-label": say.face(face) },
            die(face, player ? player.colour : "ivory"),
          ),
        ),
      ),
      button("go", done, { disabled: left.length > 0 || Boolean(busy) }, left.length ? say.handLeft(left.length) : state.call ? say.handDone : say.handReady),
    ),
  );
}
