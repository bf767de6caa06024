// Which bids may be tapped, and why the others may not: in words, from what the state says of every face.

import { say } from "../languages/language.js";

export const FACES = [2, 3, 4, 5, 6, 1]; // as they lie on the pad
const MOST = 999; // dice in a bid where the rules set no limit

/** The lowest count that may be bid on `face` now, null when none. */
export const lowest = (state, face) => (state.lowest && state.lowest[face]) || null;

/** The highest. */
export const highest = (state, face) => (state.highest && state.highest[face]) || MOST;

/** Names the bid that stands: a half-made bid is for it alone. */
export const standing = ({ game, round, bid }) => `${game}/${round}/${bid ? `${bid.player}/${bid.count}/${bid.face}` : ""}`;

/** The half-made bid `{key, face, count}` as far as it fits this state; null when nothing is chosen. */
export function draft(state, made) {
  if (!made || made.key !== standing(state) || lowest(state, made.face) === null) return null;
  return { ...made, count: Math.min(Math.max(made.count, lowest(state, made.face)), highest(state, made.face)) };
}

/** Why a face may not be bid at all. */
export function whyNotFace(state) {
  const { bid } = state;
  if (!bid) return say.notOnPacos;
  const free = FACES.some((other) => other > bid.face && lowest(state, other) !== null); // up, one may always go
  return state.palifico && bid.face < 6 && !free ? say.locked(bid.face) : say.notDown(bid.count, bid.face);
}

/** Why not fewer of `face` than the lowest. */
export function whyNotFewer(state, face) {
  const { bid } = state;
  return bid ? say.beginAt(bid.count, bid.face, face, lowest(state, face)) : say.atLeastOne;
}

/** Why not more of `face` than the highest. */
export const whyNotMore = ({ bid }, face) => say.oneOfTwo(bid.count, bid.face, face);
