// Everybody's dice as faces: under a verdict, and while the call is told.

import { die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { initials } from "../game/players.js";
import { shownDice } from "./judgement.js";
import { inTurn, ofMany } from "./motion.js";
import { closeUp, closeUps, mark } from "../picture/picture.js";
import { say } from "../languages/language.js";

const MANY = 6; // players; the rows of more are closer together

let lost = ""; // the address of close-ups that could not be loaded: then the dice are drawn

/**
 * Every player's dice, a row for each player, as the camera saw them, else drawn; those that count are marked. `onDie(die)` is
 * called for a tap on a die.
 */
export function faceRows({ state, run, store }, { onDie = null } = {}) {
  const seen = state.reading && closeUps(state.reading, run);
  const shown = seen && seen.url !== lost ? seen : null;
  const failed = () => {
    lost = seen.url;
    store.change({});
  };
  const judged = Boolean(state.verdict);
  const rows = shownDice(state);
  if (!rows.length) return null;
  const signs = initials(state.players.map(({ name }) => name));
  const rest = judged && state.players.filter(({ name }) => !rows.some(({ player }) => player.name === name));
  let turn = 0;
  let found = 0;
  const cls = (die) => `${die.uncertain ? "doubted" : !judged ? "" : die.counts ? "matches" : "dim"}${die.corrected ? " corrected" : ""}`;
  const label = (die, player) => {
    const name = say.dieOf(player.name, player.colour, die.face);
    return die.uncertain ? `${name}, ${say.unsure}` : die.counts && judged ? `${name}, ${say.counts}` : name;
  };
  return h(
    "ul",
    { class: `shown${rows.length > MANY ? " many" : ""}`, key: "shown", mount: ofMany(rows.reduce((sum, { dice }) => sum + dice.length, 0), "--step", 560) },
    rows.map(({ player, dice }) =>
      h(
        "li",
        { key: player.name },
        h("span", { class: `disc ${player.colour}`, "aria-hidden": "true", "data-sign": signs.get(player.name) }),
        h("span", { class: "name", dir: "auto" }, player.name),
        h(
          "span",
          { class: "faces" },
          dice.map((each, n) => {
            const key = each.id === null ? n : each.id;
            const [falls, marked] = [inTurn((turn += 1)), inTurn(each.counts ? (found += 1) : 0, "--c")];
            const props = { key, mount: (element) => [falls, marked].forEach((set) => set(element)) };
            const drawn = (named) => (shown && each.id !== null ? [closeUp(shown, each.id, failed), h("i", { class: "read", key: "read", "data-read": mark(each) }), named && h("span", { class: "hidden", key: "named" }, named)] : die(each.face, player.colour, { label: named }));
            if (!onDie || each.id === null) return h("span", { class: `face ${cls(each)}`, ...props }, drawn(label(each, player)));
            return button(`face ${cls(each)}`, () => onDie(each), { ...props, "aria-label": label(each, player) }, drawn(""));
          }),
        ),
      ),
    ),
    rest && rest.length > 0 && h("li", { class: "quiet", key: "out" }, h("span", {}, say.pair(rest.map(({ name }) => name), say.out))),
  );
}
