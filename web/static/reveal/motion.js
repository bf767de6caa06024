// The animations after a call: boxes grow, the tally counts up, a die disappears. They are decoration: the result is there
// at once. They end within two and a half seconds, or with a tap.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** For `mount`: this is the `n`th of several elements that appear one after the other; the style sets the delay. */
export const inTurn = (n) => (element) => element.style.setProperty("--n", String(n));

/** For `mount`: `count` elements appear one after the other within `element`, in `most` ms; the style knows the time for one by `name`. */
export const ofMany = (count, name = "--beat", most = 1000) => (element) => element.style.setProperty(name, `${Math.round(Math.min(170, most / Math.max(count, 1)))}ms`);

/** The dice that gather in `line` come from where the same dice lie on the page, one after the other. */
export function fly(line) {
  if (STILL.matches) return;
  const dice = new Map([...document.querySelectorAll("[data-match]")].map((element) => [element.dataset.match, element]));
  [...line.children].forEach((element, n) => {
    const from = dice.get(element.dataset.gathers);
    element.style.setProperty("--c", String(n));
    if (!from) return;
    from.style.setProperty("--c", String(n));
    const [a, b] = [from, element].map(placeOf);
    element.style.setProperty("--dx", `${a.x - b.x}px`);
    element.style.setProperty("--dy", `${a.y - b.y}px`);
  });
}

// The middle of an element, wherever an animation has moved it.
function placeOf(element) {
  let [x, y] = [element.offsetWidth / 2, element.offsetHeight / 2];
  for (let at = element; at; at = at.offsetParent) [x, y] = [x + at.offsetLeft, y + at.offsetTop];
  return { x, y };
}

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
