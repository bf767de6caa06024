// What those who only hear a page are told: what is new, and no more.

import { turnLine } from "./view-bid.js";
import { faceName, say, told } from "./words.js";

/**
 * What to say of `state`, which came after `before` (null: it is the first). `me` is who this phone is, null for a board;
 * `kept` is what was said last, and stays where nothing is new.
 */
export function spoken(before, state, { me = null, kept = "" } = {}) {
  const { phase, verdict: judged, bid, turn } = state;
  const entered = !before || before.phase !== phase || before.paused !== state.paused;
  if (state.paused) return say.onBreak;
  if (phase === "over" && !state.winner) return say.ended;
  if (phase === "over" && !judged) return say.wonAlone(state.winner);
  if ((phase === "verdict" || phase === "over") && judged) return told(judged);
  if (phase === "rolling") {
    const { rolling: names, rolls, dice } = state.opening;
    return rolls.length ? `${names.join(", ")}: ${say.rollAgain}.` : `${say.whoOpens} ${say.allRoll(dice)}.`;
  }
  if (phase === "telling" && entered) return say.tellTitle;
  if (phase === "reading" && entered && state.counting) return `${say.cupsUp} ${say.tellAfter}`;
  if (phase === "reading" && entered && state.call) return `${say.calls(state.call.player, state.call.kind)}. ${say.cupsUp}`;
  if (phase === "checking" && entered) return say.checkTitle;
  if (phase !== "bidding" || !(entered || before.turn !== turn)) return kept;
  if (!bid) return `${turnLine(state, me)}.`;
  return `${say.bidBy(bid.player)} ${bid.count} ${faceName(bid.face, bid.count)}. ${turnLine(state, me)}.`;
}

/** The sentence of a press of the panel that was refused between the two states; "" when there was none. */
export function newNotice(before, { notice }) {
  if (!before || !notice || (before.notice && before.notice.number === notice.number)) return "";
  return told(notice);
}
