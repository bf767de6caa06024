// The animations after a call: boxes grow, the tally counts up, a die disappears. They are decoration: the result is there
// at once. They end within two and a half seconds, or with a tap.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** For `mount`: this is the `n`th of several elements that appear one after the other; the style sets the delay. */
export const inTurn = (n) => (element) => element.style.setProperty("--n", String(n));

/** For `mount`: how many elements appear one after the other within `element`; the more, the faster. */
export const ofMany = (count) => (element) => element.style.setProperty("--beat", `${Math.round(Math.min(170, 1000 / Math.max(count, 1)))}ms`);

// The running animations within `matching`, except those that repeat for ever, like lamps.
function moving(matching) {
  if (STILL.matches || !document.getAnimations) return [];
  const within = ({ effect }) => effect && effect.target && effect.target.closest(matching) && effect.getTiming().iterations !== Infinity;
  return document.getAnimations().filter((animation) => animation.playState === "running" && within(animation));
}

/**
 * A tap ends the animations within the selector `matching`, and does nothing else, except on what `but` selects, where it
 * also has its usual effect.
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
