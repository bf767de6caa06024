// Which bids may be tapped, and why the others may not, from the state's limits for each face.

import { say } from "../languages/language.js";

export const FACES = [2, 3, 4, 5, 6, 1]; // as they lie on the pad
/** The most dice in a bid where the rules set no limit. */
export const MOST = 999;

/** The lowest count that may be bid on `face` now, null if none. */
export const lowest = (state, face) => (state.lowest && state.lowest[face]) || null;

/** The highest count, null if there is no limit. */
export const highest = (state, face) => (state.highest && state.highest[face]) || MOST;

/** Whether the rules allow `count` on `face` now. */
export const legal = (state, face, count) => lowest(state, face) !== null && count >= lowest(state, face) && count <= highest(state, face);

/** A key for the current bid; a draft belongs to one of them. */
export const standing = ({ game, round, bid }) => `${game}/${round}/${bid ? `${bid.player}/${bid.count}/${bid.face}` : ""}`;

/** The draft `{key, face, count, picked}` if it belongs to this state; null when nothing is chosen. */
export const draft = (state, made) => (made && made.key === standing(state) ? made : null);

/**
 * The draft before anything is chosen: the lowest raise of the same face, else of the first that may be bid; null if none may
 * be. `free`: one that the rules need not allow.
 */
export function first(state, free = false) {
  const { bid } = state;
  const able = FACES.filter((face) => lowest(state, face) !== null);
  const face = bid && (free || able.includes(bid.face)) ? bid.face : able[0];
  return face ? { face, count: lowest(state, face) || bid.count } : null;
}

/** Why the rules do not allow a draft; "" if they do. */
export function whyNot(state, { face, count }) {
  if (lowest(state, face) === null) return whyNotFace(state, face);
  if (count < lowest(state, face)) return whyNotFewer(state, face);
  return count > highest(state, face) ? whyNotMore(state, face) : "";
}

/** Whether a house rule has this value. */
export const hasRule = ({ rules = [] }, name, wanted) => rules.some(({ rule, value }) => rule === name && value === wanted);

/** Whether who opens the round says which way round the bids go. */
export const choosesWay = (state) => !state.bid && hasRule(state, "opener_chooses_direction", true);

/** Why a face may not be bid at all. */
function whyNotFace(state, face) {
  const { bid } = state;
  if (!bid) return say.notOnPacos;
  const leaving = state.wild && bid.face === 1;
  if (leaving && FACES.some((other) => other > 1 && lowest(state, other) !== null)) return say.lowerThisRound;
  const rising = face === bid.face || (!state.palifico && face > bid.face) || (state.wild && face === 1) || leaving;
  if (rising && hasRule(state, "bids_above_dice", false)) return say.aboveDice;
  const free = FACES.some((other) => other > bid.face && lowest(state, other) !== null); // raising the face is always allowed
  return state.palifico && bid.face < 6 && !free ? say.locked(bid.face) : say.notDown(bid.count, bid.face);
}

/** Why fewer of `face` may not be bid. */
function whyNotFewer(state, face) {
  const { bid } = state;
  return bid ? say.beginAt(bid.count, bid.face, face, lowest(state, face)) : say.atLeastOne;
}

/** Why more of `face` may not be bid. */
function whyNotMore(state, face) {
  const { bid } = state;
  const most = Math.max(...FACES.filter((each) => lowest(state, each) !== null).map((each) => highest(state, each)));
  return !bid || highest(state, face) === most ? say.aboveDice : say.oneOfTwo(bid.count, bid.face, face);
}
