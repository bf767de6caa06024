// The table in the lesson's pictures: three players, what lies under their cups, and a bid that is judged by the rules in
// play.

import { counts } from "../reveal/judgement.js";
import { diceEach } from "../game/players.js";
import { hasRule } from "../game/legal-bids.js";

/** Whose phone this would be, who bids, and who doubts. */
export const [YOU, BIDDER, DOUBTER] = ["Ana", "Ben", "Cid"];
const COLOURS = { [YOU]: "red", [BIDDER]: "blue", [DOUBTER]: "green" };

/** Two rounds: the bid, and the most dice that each can have; with a rule for fewer, only the first of them. */
export const TOLD = { bid: { count: 5, face: 4 }, hands: { [YOU]: [4, 4, 1, 2, 6, 3], [BIDDER]: [4, 1, 5, 3, 3, 2], [DOUBTER]: [2, 6, 6, 5, 3, 5] } };
export const ASKED = { bid: { count: 6, face: 6 }, hands: { [YOU]: [6, 1, 6, 2, 3, 4], [BIDDER]: [6, 1, 5, 4, 2, 2], [DOUBTER]: [1, 3, 5, 2, 4, 3] } };

/** Whether pacos ever count as another face by the rules of `state`. */
export const pacosWild = (state) => !hasRule(state, "pacos_wild", false);

/** A round of the lesson as a state of the table, with its verdict; by the rules of `state`. */
export function judgedRound(state, { bid, hands }) {
  const each = diceEach(state);
  const byhand = Object.fromEntries(Object.entries(hands).map(([name, dice]) => [name, dice.slice(0, each)]));
  const wild = pacosWild(state);
  const shown = Object.values(byhand).flat();
  const count = shown.filter((face) => counts({ bid, wild }, face)).length;
  const pacos = wild ? shown.filter((face) => face === 1).length : 0;
  const correct = count < bid.count;
  const lost = hasRule(state, "dudo_costs", "difference") ? Math.max(1, Math.abs(count - bid.count)) : 1;
  return {
    players: Object.keys(hands).map((name) => ({ name, colour: COLOURS[name], dice: each })),
    byhand,
    reading: null,
    verdict: { call: "dudo", caller: DOUBTER, bidder: BIDDER, bid, wild, faces: count - pacos, pacos, count, correct, loses: correct ? BIDDER : DOUBTER, lost },
  };
}
