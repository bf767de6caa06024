// What moves after a call: boxes grow, the tally counts up, a die goes. All of it is decoration over what is there at once;
// it is over within two and a half seconds, and a tap ends it.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** For `mount`: this is the `n`th of things that come one after the other; the style makes a delay of it. */
export const inTurn = (n) => (element) => element.style.setProperty("--n", String(n));

/** For `mount`: so many things come one after the other within `element`; the more, the faster. */
export const ofMany = (count) => (element) => element.style.setProperty("--beat", `${Math.round(Math.min(170, 1000 / Math.max(count, 1)))}ms`);

// Only what moves once (lamps blink for ever), within what `matching` finds.
function moving(matching) {
  if (STILL.matches || !document.getAnimations) return [];
  const within = ({ effect }) => effect && effect.target && effect.target.closest(matching) && effect.getTiming().iterations !== Infinity;
  return document.getAnimations().filter((animation) => animation.playState === "running" && within(animation));
}

/**
 * A tap ends what moves in the places that the selector `matching` finds, and does nothing else; in the places of `but` it
 * does what it is for all the same.
 */
export function tapToSkip(matching, but) {
  const skip = (event) => {
    const found = moving(matching);
    for (const animation of found) animation.finish();
    if (!found.length || event.target.closest(but)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("click", skip, true);
}
