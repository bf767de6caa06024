// Voice, sound and vibration, loaded only where one of them is switched on.

import { settings } from "../core/settings.js";

let asked = null; // the module, or that it is on its way
let voice = null; // the module, once it is there

/** Whether anything is switched on. */
const anyOn = () => settings().voice || settings().sound || settings().vibration;

/** The module `voice.js`; null where it could not be loaded: the next news, or the next tap, tries again. */
export function loadVoice() {
  const here = (module) => (voice = module);
  const gone = () => (asked = null);
  if (!asked) asked = import("./voice.js").then(here, gone);
  return asked;
}

/** Say what is new between two states, as far as it is switched on. `me` is who this phone is, or null. */
export async function sayNews(before, state, me) {
  const module = anyOn() ? await loadVoice() : null;
  if (module) module.tell(before, state, me);
}

// A browser lets a page speak only after a tap on it, and an iPhone only what is said within the tap: so the module is there
// before.
function unlock() {
  if (!anyOn()) return;
  if (voice) voice.unlock();
  else loadVoice();
}
for (const kind of ["click", "touchend", "keydown"]) document.addEventListener(kind, unlock, { passive: true });
if (anyOn()) loadVoice();
