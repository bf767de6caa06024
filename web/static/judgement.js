// The parts of a verdict that a phone and the score board show alike.

import { bidSign } from "./dice.js";
import { h } from "./dom.js";
import { inTurn } from "./motion.js";
import { say } from "./words.js";

/** What becomes of whose dice, in a few words. */
export function outcome(judged) {
  if (judged.eliminated) return say.eliminated(judged.eliminated);
  if (judged.loses) return say.loses(judged.loses);
  if (judged.gains) return say.gains(judged.gains);
  return say.nothing(judged.caller);
}

/** The dice of the player whom the verdict concerns: one goes, or one comes. */
export function dicePaid({ verdict: judged, players }) {
  const name = judged.loses || judged.gains || judged.caller;
  const player = players.find((each) => each.name === name);
  if (!player) return null; // an older verdict, of somebody who has left since
  const bodies = [];
  for (let n = 0; n < player.dice; n += 1) {
    const comes = judged.gains && n === player.dice - 1;
    bodies.push(h("i", { key: n, class: `mini large ${player.colour}${comes ? " comes" : ""}` }));
  }
  if (judged.loses) bodies.push(h("i", { key: "goes", class: `mini large ${player.colour} goes` }));
  return h("p", { class: "paid", role: "img", "aria-label": `${name}: ${say.dice(player.dice)}` }, bodies);
}

/** A number that counts up to `n` while the dice light up; there is only `n` for those who hear the page. */
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

/** The bid against what lay there. */
export function against(judged) {
  return h(
    "div",
    { class: "against", key: "against" },
    h("div", {}, h("span", { class: "label" }, say.wasBid), bidSign(judged.bid)),
    h("div", { class: "is" }, h("span", { class: "label" }, say.onTheTable), h("span", { class: "bidsign" }, countUp(judged.count))),
  );
}
