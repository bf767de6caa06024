// Whether the player of this phone has played a first round.

import { own } from "../core/identity.js";
import { choose, settings } from "../core/settings.js";

const judged = ({ phase, verdict }) => ["verdict", "over"].includes(phase) && Boolean(verdict);

/** Once a verdict is shown to somebody who has a seat, no later round is their first. */
export function endFirstRound({ state, me }) {
  if (!state || !own(me) || !judged(state) || settings().played) return;
  choose({ played: true });
}
