// What is said to who plays a first round, where the page says what can be done.

import { likely, inPlay } from "../game/count-row.js";
import { FACES, first, draft, lowest, whyNot } from "../game/legal-bids.js";
import { own } from "../core/identity.js";
import { loadWords, word } from "../languages/language.js";
import { reckoned } from "./reckoning.js";

/** Settles with the coach's sentences, once its words are there. */
export async function ready() {
  await loadWords("lesson");
  return { turn, verdict };
}

/** On the own turn: how many dice count on average, then why faces are grey, then how to doubt. */
function turn({ state, store }) {
  const { me, draft: chosen } = store.get();
  const { bid, bids = [], wild } = state;
  if (!bid) {
    const { face } = draft(state, chosen) || first(state);
    return word.lesson.open(likely(state, face), inPlay(state), face, Boolean(wild) && face !== 1);
  }
  const grey = FACES.find((each) => lowest(state, each) === null);
  const raisedBefore = bids.slice(1).some(({ player }) => player === own(me));
  return grey && !raisedBefore ? word.lesson.grey(whyNot(state, { face: grey, count: 1 })) : word.lesson.doubt;
}

/** At the verdict: how the dice add up. */
function verdict({ state, store }) {
  return reckoned(state.verdict, own(store.get().me));
}

