// Voice, sound and vibration, fetched only where one of them is switched on.

import { settings } from "./settings.js";

let asked = null; // the module, or that it is on its way
let voice = null; // the module, once it is there

/** Whether anything is switched on. */
export const heard = () => settings().voice || settings().sound || settings().vibration;

/** The module that does it; null where the box did not give it. It is asked for anew with the next news, or tap. */
export function fetched() {
  const here = (module) => (voice = module);
  const gone = () => (asked = null);
  if (!asked) asked = import("./voice.js").then(here, gone);
  return asked;
}

/** Say what is new between two states, as far as it is switched on. `me` is who this phone is, or null. */
export async function aloud(before, state, me) {
  const module = heard() ? await fetched() : null;
  if (module) module.tell(before, state, me);
}

// A browser lets a page speak only after a tap on it, and an iPhone only what is said within the tap: so the module is there
// before.
function unlock() {
  if (!heard()) return;
  if (voice) voice.unlock();
  else fetched();
}
for (const kind of ["click", "touchend", "keydown"]) document.addEventListener(kind, unlock, { passive: true });
if (heard()) fetched();
