// Which bids may be tapped, and why the others may not, from the state's limits for each face.

import { say } from "../languages/language.js";

export const FACES = [2, 3, 4, 5, 6, 1]; // as they lie on the pad
const MOST = 999; // dice in a bid where the rules set no limit

/** The lowest count that may be bid on `face` now, null if none. */
export const lowest = (state, face) => (state.lowest && state.lowest[face]) || null;

/** The highest count, null if there is no limit. */
export const highest = (state, face) => (state.highest && state.highest[face]) || MOST;

/** A key for the current bid; a draft belongs to one of them. */
export const standing = ({ game, round, bid }) => `${game}/${round}/${bid ? `${bid.player}/${bid.count}/${bid.face}` : ""}`;

/** The draft `{key, face, count}` if it fits this state; null when nothing is chosen. */
export function draft(state, made) {
  if (!made || made.key !== standing(state) || lowest(state, made.face) === null) return null;
  return { ...made, count: Math.min(Math.max(made.count, lowest(state, made.face)), highest(state, made.face)) };
}

/** Why a face may not be bid at all. */
export function whyNotFace(state) {
  const { bid } = state;
  if (!bid) return say.notOnPacos;
  const free = FACES.some((other) => other > bid.face && lowest(state, other) !== null); // raising the face is always allowed
  return state.palifico && bid.face < 6 && !free ? say.locked(bid.face) : say.notDown(bid.count, bid.face);
}

/** Why fewer of `face` may not be bid. */
export function whyNotFewer(state, face) {
  const { bid } = state;
  return bid ? say.beginAt(bid.count, bid.face, face, lowest(state, face)) : say.atLeastOne;
}

/** Why more of `face` may not be bid. */
export const whyNotMore = ({ bid }, face) => say.oneOfTwo(bid.count, bid.face, face);
