// The parts of a verdict that a phone and the score board show alike.

import { bidSign, die } from "../core/dice.js";
import { button, h } from "../core/dom.js";
import { acts } from "../core/identity.js";
import { inTurn } from "./motion.js";
import { hasWords, say, textOf } from "../languages/language.js";

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

/** The last correction of this round, with undo for who may act. */
export function lastCorrection({ state, store, post }) {
  const last = (state.corrections || []).slice(-1)[0];
  if (!last || !hasWords("correction-messages")) return null;
  const undoes = acts(store.get().me) && state.undo && state.undo.step === last.step;
  const undo = () => post("undo", { step: last.step });
  return h("p", { class: "changed", key: "changed", role: "status" }, h("bdi", {}, textOf(last)), undoes && button("link", undo, { key: "undo" }, say.undoIt));
}

/** Who loses or takes back a die, in a few words; `mine` is the player of this phone. */
export function outcome(judged, mine = null) {
  const { eliminated, loses, lost, gains, caller } = judged;
  if (eliminated) return eliminated === mine ? say.youOut : say.eliminated(eliminated);
  if (loses) return loses === mine ? say.youLose(lost) : say.loses(loses, lost);
  if (gains) return gains === mine ? say.youGain : say.gains(gains);
  return caller === mine ? say.youKeep : say.nothing(caller);
}

/** The player whom a verdict is about. */
export const concerned = ({ loses, gains, caller }) => loses || gains || caller;

/** The dice of the player who loses or takes back one. */
export function dicePaid({ verdict: judged, players }) {
  const name = concerned(judged);
  const player = players.find((each) => each.name === name);
  if (!player) return null; // an older verdict on somebody who has left since
  const bodies = [];
  for (let n = 0; n < player.dice; n += 1) {
    const comes = judged.gains && n === player.dice - 1;
    bodies.push(h("i", { key: n, class: `mini large ${player.colour}${comes ? " comes" : ""}` }));
  }
  for (let n = 0; judged.loses && n < (judged.lost || 1); n += 1) bodies.push(h("i", { key: `goes${n}`, class: `mini large ${player.colour} goes` }));
  return h("p", { class: "paid", role: "img", "aria-label": say.pair(name, say.dice(player.dice)) }, bodies);
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

/** How many dice may match or not: uncertain ones, on which the verdict does not depend. */
export const uncertain = ({ least, most }) => most - least || 0;

/** The count of a verdict; with uncertain dice the least and the most that it may be. */
export const counted = (judged) => (uncertain(judged) ? `${judged.least}–${judged.most}` : judged.count);

/** "3 fours + 2 pacos = 5". */
export function sum(judged) {
  const split = judged.wild && judged.bid.face !== 1;
  return say.tally(judged.faces, judged.bid.face, judged.pacos, judged.count, split);
}

/** The bid and the count, side by side. */
export function against(judged) {
  const count = uncertain(judged) ? counted(judged) : countUp(judged.count);
  return h(
    "div",
    { class: `against${uncertain(judged) ? " range" : ""}`, key: "against" },
    h("div", {}, h("span", { class: "label" }, say.wasBid), bidSign(judged.bid)),
    h("div", { class: "is" }, h("span", { class: "label" }, say.onTheTable), h("span", { class: "bidsign" }, count)),
  );
}

/**
 * Every player with dice, as read or counted by hand: `{player, dice}`, each die `{id, face, counts, uncertain, corrected}`, the
 * matching ones first. A die counted by hand has no number.
 */
export function shownDice(state) {
  const { byhand, verdict: judged, reading, players } = state;
  const faces = (name) => (byhand[name] || []).map((face) => ({ id: null, face, counts: Boolean(judged) && counts(judged, face), uncertain: false }));
  const read = (name) => (reading ? reading.dice.filter((die) => die.player === name) : []);
  const order = (a, b) => Number(b.counts) - Number(a.counts) || (a.face === 1) - (b.face === 1) || a.face - b.face;
  return players.map((player) => ({ player, dice: [...(byhand ? faces(player.name) : read(player.name))].sort(order) })).filter(({ dice }) => dice.length > 0);
}
