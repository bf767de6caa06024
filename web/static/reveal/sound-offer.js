// Sounds are off. They are offered once on every phone, while everybody waits for the cups to go up.

import { button, h } from "../core/dom.js";
import { choose, settings } from "../core/settings.js";
import { loadVoice } from "../speech/lazy-voice.js";
import { say } from "../languages/language.js";

let round = ""; // in which sounds are offered

/** The offer, in the first round of this phone that comes to a call; null later, or where there is no sound. */
export function soundOffer({ state, store }) {
  const here = `${state.game} ${state.round}`;
  if (settings().sound || !("AudioContext" in window) || (settings().offered && round !== here)) return null;
  if (round !== here) {
    round = here;
    choose({ offered: true });
    loadVoice(); // so that sound may begin during the tap
  }
  const answer = async (sound) => {
    round = "";
    choose({ sound });
    store.change({});
    const voice = sound && (await loadVoice());
    if (voice) voice.play("call");
  };
  return h(
    "div",
    { class: "offer row", key: "offer", role: "group", "aria-label": say.soundOffer },
    button("plain", () => answer(true), { key: "yes" }, say.soundYes),
    button("plain", () => answer(false), { key: "no" }, say.soundNo),
  );
}
