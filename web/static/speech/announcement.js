// What a screen reader announces: only what is new.

import { turnLine } from "../game/stage.js";
import { faceName, say, textOf } from "../languages/language.js";

/**
 * What to announce for `state`, which followed `before` (null: it is the first). `me` is who this phone is, null for a
 * board; `last` is the announcement before, and stays if nothing is new.
 */
export function announcement(before, state, { me = null, last = "" } = {}) {
  const { phase, verdict: judged, bid, turn } = state;
  const entered = !before || before.phase !== phase || before.paused !== state.paused;
  if (state.paused) return say.onBreak;
  if (phase === "over" && !state.winner) return say.ended;
  if (phase === "over" && !judged) return say.wonAlone(state.winner);
  if ((phase === "verdict" || phase === "over") && judged) return textOf(judged);
  if (phase === "rolling") {
    const { rolling: names, rolls, dice } = state.opening;
    return rolls.length ? `${say.pair(names, say.rollAgain)}.` : `${say.whoOpens} ${say.allRoll(dice)}.`;
  }
  if (phase === "telling" && entered) return say.tellTitle;
  if (phase === "reading" && entered && state.counting) return `${say.cupsUp} ${say.tellAfter}`;
  if (phase === "reading" && entered && state.call) return `${say.calls(state.call.player, state.call.kind)}. ${say.cupsUp}`;
  if (phase === "checking" && entered) return say.checkTitle;
  if (phase !== "bidding" || !(entered || before.turn !== turn || before.voided !== state.voided)) return last;
  if (!bid) return `${state.voided ? `${say.isVoid}. ` : ""}${turnLine(state, me)}.`;
  return `${say.bidBy(bid.player)} ${bid.count} ${faceName(bid.face, bid.count)}.${bid.accepted ? ` ${say.wasPassed}.` : ""} ${turnLine(state, me)}.`;
}

/** The sentence of a panel press that was refused between the two states, or of a step "undone"; "" if there was none. */
export function newNotice(before, state, kind = "notice") {
  const { [kind]: notice } = state;
  if (!before || !notice || (before[kind] && before[kind].number === notice.number)) return "";
  return textOf(notice);
}

/** The correction that is new between the two states, and stands; null if there is none. */
export function newCorrection(before, { game, corrections = [], undone }) {
  const last = corrections[corrections.length - 1];
  if (!before || !last || before.game !== game || (undone && (!before.undone || before.undone.number !== undone.number))) return null;
  const known = (before.corrections || []).map(({ step }) => step);
  return last.step > Math.max(0, ...known) ? last : null;
}
