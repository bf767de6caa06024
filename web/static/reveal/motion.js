// The animations after a call: boxes grow, the tally counts up, a die disappears. They are decoration: the result is there
// at once. They end within two and a half seconds, or with a tap.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** For `mount`: this is the `n`th of several elements that appear one after the other; the style sets the delay, by `name`. */
export const inTurn = (n, name = "--n") => (element) => element.style.setProperty(name, String(n));

/** For `mount`: `count` elements appear one after the other within `element`, in `most` ms; the style knows the time for one by `name`. */
export const ofMany = (count, name = "--beat", most = 1000) => (element) => element.style.setProperty(name, `${Math.round(Math.min(170, most / Math.max(count, 1)))}ms`);

// The running animations within `matching`, except those that repeat for ever, like lamps.
function moving(matching) {
  if (STILL.matches || !document.getAnimations) return [];
  const within = ({ effect }) => effect && effect.target && effect.target.closest(matching) && effect.getTiming().iterations !== Infinity;
  return document.getAnimations().filter((animation) => animation.playState === "running" && within(animation));
}

const AGAIN = 300; // ms in which a second tap is part of a double tap

/**
 * A tap ends the animations within the selector `matching`, and does nothing else, except on what `but` selects, where it
 * also has its usual effect. A double tap is one tap.
 */
export function tapToSkip(matching, but) {
  let ended = -Infinity;
  const skip = (event) => {
    const found = moving(matching);
    for (const animation of found) animation.finish();
    if (event.target.closest(but)) return;
    if (found.length) ended = event.timeStamp;
    else if (event.detail === 0 || event.timeStamp - ended > AGAIN) return; // a key's click has no detail
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("click", skip, true);
}
