// The parts of a verdict that a phone and the score board show alike.

import { bidSign, die } from "../core/dice.js";
import { h } from "../core/dom.js";
import { inTurn } from "./motion.js";
import { say } from "../languages/language.js";

/** Three dice of the winner's colour. */
export function trophy({ players, winner }) {
  const player = players.find(({ name }) => name === winner);
  const dice = [1, 6, 1].map((face, n) => die(face, player ? player.colour : "ivory", { key: n }));
  return h("div", { class: "trophy", "aria-hidden": "true" }, dice);
}

/** Whether a die that shows `face` counts for the judged bid. */
export const counts = ({ bid, wild }, face) => face === bid.face || (wild && face === 1);

/** The call and its bid, while the dice are read; null without a call. */
export function callLine({ counting, call, bid }, cls = "called") {
  if (counting) return h("p", { class: cls, key: "called" }, h("strong", {}, say[counting]), " · ", say.tellAfter);
  if (!call) return null;
  return h(
    "p",
    { class: cls, key: "called" },
    h("strong", {}, h("bdi", {}, say.calls(call.player, call.kind))),
    bid && [" · ", h("bdi", {}, bid.player), " ", bidSign(bid, "inline")],
  );
}

/** Who loses or takes back a die, in a few words. */
export function outcome(judged) {
  if (judged.eliminated) return say.eliminated(judged.eliminated);
  if (judged.loses) return say.loses(judged.loses);
  if (judged.gains) return say.gains(judged.gains);
  return say.nothing(judged.caller);
}

/** The dice of the player who loses or takes back one. */
export function dicePaid({ verdict: judged, players }) {
  const name = judged.loses || judged.gains || judged.caller;
  const player = players.find((each) => each.name === name);
  if (!player) return null; // an older verdict on somebody who has left since
  const bodies = [];
  for (let n = 0; n < player.dice; n += 1) {
    const comes = judged.gains && n === player.dice - 1;
    bodies.push(h("i", { key: n, class: `mini large ${player.colour}${comes ? " comes" : ""}` }));
  }
  if (judged.loses) bodies.push(h("i", { key: "goes", class: `mini large ${player.colour} goes` }));
  return h("p", { class: "paid", role: "img", "aria-label": `${name}: ${say.dice(player.dice)}` }, bodies);
}

/** A number that counts up to `n` while the dice light up; screen readers get only `n`. */
export function countUp(n) {
  const ticks = [];
  for (let at = 0; at < n; at += 1) ticks.push(h("i", { key: at, class: at ? "tick" : "tick first", "data-n": at, mount: inTurn(at - 1) }));
  return h(
    "span",
    { class: "countup", role: "img", "aria-label": String(n) },
    ticks,
    h("i", { key: `last${n}`, class: "last", "data-n": n, mount: inTurn(n - 1) }),
  );
}

/** "3 fours + 2 pacos = 5". */
export function sum(judged) {
  const split = judged.wild && judged.bid.face !== 1;
  return say.tally(judged.faces, judged.bid.face, judged.pacos, judged.count, split);
}

/** The bid and the count, side by side. */
export function against(judged) {
  return h(
    "div",
    { class: "against", key: "against" },
    h("div", {}, h("span", { class: "label" }, say.wasBid), bidSign(judged.bid)),
    h("div", { class: "is" }, h("span", { class: "label" }, say.onTheTable), h("span", { class: "bidsign" }, countUp(judged.count))),
  );
}

/** Every player's dice as read; those that count are highlighted. */
export function openDice(state) {
  const byPlayer = state.byhand
    ? state.players.map((p) => [p, (state.byhand[p.name] || []).map((face) => ({ face, counts: Boolean(state.verdict) && counts(state.verdict, face) }))])
    : state.players.map((p) => [p, state.reading ? state.reading.dice.filter((d) => d.player === p.name) : []]);
  const rows = byPlayer.filter(([, dice]) => dice.length > 0);
  if (!rows.length) return null;
  return h(
    "ul",
    { class: "shown", key: "shown" },
    rows.map(([player, dice]) =>
      h(
        "li",
        { key: player.name },
        h("span", { class: "name", dir: "auto" }, player.name),
        h(
          "span",
          { class: "faces" },
          [...dice]
            .sort((x, y) => x.face - y.face)
            .map(({ face, counts: is }, n) =>
              die(face, player.colour, { key: n, cls: !state.verdict ? "" : is ? "counts" : "dim", label: is ? `${face}, ${say.counts}` : String(face) }),
            ),
        ),
      ),
    ),
  );
}
