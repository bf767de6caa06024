// A verdict in a sentence that adds up the dice: "3 sixes and 3 pacos make 6: Ben’s bid of 5 holds."

import { word } from "../languages/language.js";

/** The sentence; `mine` is the player of this phone. */
export function reckoned({ call, bid, bidder, wild, faces, pacos, count, correct }, mine = null) {
  const made = wild && bid.face !== 1 ? word.lesson.make(faces, bid.face, pacos, count) : word.lesson.there(count, bid.face);
  const held = { dudo: correct ? "fails" : "holds", calza: correct ? "exact" : "inexact" }[call];
  return word.lesson.reckoned(made, bidder === mine ? "" : bidder, bid.count, held);
}
