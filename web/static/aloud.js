// Voice, sound and vibration, fetched only where one of them is switched on.

import { settings } from "./settings.js";

let voice = null;

/** Whether anything is switched on. */
export const heard = () => settings().voice || settings().sound || settings().vibration;

/** Say what is new between two states, as far as it is switched on. `me` is who this phone is, or null. */
export async function aloud(before, state, me) {
  if (!heard()) return;
  const { tell } = await fetched();
  tell(before, state, me);
}

/** The module that does it. */
export function fetched() {
  if (!voice) voice = import("./voice.js");
  return voice;
}

// A browser lets a page speak only after a tap on it: whatever is tapped first will do.
function unlock() {
  if (heard()) fetched().then((module) => module.unlock(), () => (voice = null)); // fetched again with the next tap
}
for (const kind of ["click", "touchend", "keydown"]) document.addEventListener(kind, unlock, { passive: true });
