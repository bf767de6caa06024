// Whether the player of this phone plays a first round: then the page says more.

import { alone, own } from "../core/identity.js";
import { choose, settings } from "../core/settings.js";

const judged = ({ phase, verdict }) => ["verdict", "over"].includes(phase) && Boolean(verdict);
const numbered = ({ game, round }) => `${game}/${round}`;

let asked = ""; // the round at whose verdict the next one was asked to be explained
let ended = ""; // the round whose verdict has ended the first one, and still belongs to it

/** Whether more is said: in a first round against robots only, and at its verdict. */
export const isFirstRound = (state, me) => alone(me, state) && (judged(state) ? ended === numbered(state) : !settings().played);

/** Once a verdict is shown to somebody who has a seat, no later round is their first. */
export function endFirstRound({ state, me }) {
  if (!state || !own(me) || !judged(state) || settings().played || asked === numbered(state)) return;
  ended = numbered(state);
  choose({ played: true });
}

/** Say more again: in the round that is played, or after a verdict in the next one. */
export function explainAgain(state) {
  asked = judged(state) ? numbered(state) : "";
  choose({ played: false });
}
