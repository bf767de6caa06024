// Voice, sound and vibration, loaded only if one of them is switched on.

import { own } from "../core/identity.js";
import { settings } from "../core/settings.js";

const LOST = 160; // ms that the phone of who loses a die shakes
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

let asked = null; // the promise of the module
let voice = null; // the module, once loaded

/** Whether anything is switched on. */
const anyOn = () => settings().voice || settings().sound || settings().vibration;

/** The module `voice.js`; null if it could not be loaded, and the next call tries again. */
export function loadVoice() {
  const here = (module) => (voice = module);
  const gone = () => (asked = null);
  if (!asked) asked = import("./voice.js").then(here, gone);
  return asked;
}

/** Say what is new between two states, as far as the settings allow. `me` is who this phone is, or null. */
export async function sayNews(before, state, me) {
  feel(before, state, own(me));
  const module = anyOn() ? await loadVoice() : null;
  if (module) module.tell(before, state, me);
}

// Whoever loses a die feels it, once; with vibration switched on it comes with the other news.
function feel(before, { verdict }, mine) {
  const lost = before && !before.verdict && verdict && mine && verdict.loses === mine;
  if (lost && !settings().vibration && "vibrate" in navigator && !STILL.matches && document.visibilityState !== "hidden") navigator.vibrate(LOST);
}

// A browser lets a page speak only after a tap, and an iPhone only during the tap, so the module is loaded before.
function unlock() {
  if (!anyOn()) return;
  if (voice) voice.unlock();
  else loadVoice();
}
for (const kind of ["click", "touchend", "keydown"]) document.addEventListener(kind, unlock, { passive: true });
if (anyOn()) loadVoice();
