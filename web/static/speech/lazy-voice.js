// Voice, sound and vibration, loaded only if one of them is switched on.

import { settings } from "../core/settings.js";

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
  const module = anyOn() ? await loadVoice() : null;
  if (module) module.tell(before, state, me);
}

// A browser lets a page speak only after a tap, and an iPhone only during the tap, so the module is loaded before.
function unlock() {
  if (!anyOn()) return;
  if (voice) voice.unlock();
  else loadVoice();
}
for (const kind of ["click", "touchend", "keydown"]) document.addEventListener(kind, unlock, { passive: true });
if (anyOn()) loadVoice();
