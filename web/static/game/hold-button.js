// A button that is held and not tapped, so that nobody calls by accident. With keys, and for those whose phone reads the
// page to them, two presses within a few seconds do the same.

export const HOLD = 600; // ms that it is held
export const AGAIN = 3000; // ms within which the second press of a key counts
const SLIP = 24; // px beside the button that a thumb may slip to; farther off it has let go

/** The time as a hold sees it; tests give another one. */
export const CLOCK = { now: () => performance.now(), set: (done, ms) => setTimeout(done, ms), clear: (id) => clearTimeout(id) };

/**
 * One hold, without a page. `down` begins it, `up` lets go, both with `keys` true for a keyboard.
 *
 * Calls `begun`, then `ended`, and after it `held` when it was held long enough (or pressed twice) or `early(keys)` when
 * not.
 */
export function createHold({ held, early, begun, ended }, clock = CLOCK) {
  let timer = null;
  let before = -Infinity; // when a key was let go too early
  const stop = () => {
    clock.clear(timer);
    timer = null;
    ended();
  };
  return {
    down({ keys = false } = {}) {
      if (timer !== null) return;
      if (keys && clock.now() - before <= AGAIN) {
        before = -Infinity;
        held();
        return;
      }
      begun();
      timer = clock.set(() => {
        stop();
        held();
      }, HOLD);
    },
    up({ keys = false } = {}) {
      if (timer === null) return;
      stop();
      before = keys ? clock.now() : -Infinity;
      early(keys);
    },
  };
}

const isKey = (event) => event.key === " " || event.key === "Enter";
const off = (element) => element.getAttribute("aria-disabled") === "true";
// What a screen reader makes of a double tap: a pointer without a size, on Android a mouse that presses nothing.
function fromScreenReader({ width, height, pressure, pointerType }) {
  if (!/Android/.test(navigator.userAgent)) return width === 0 && height === 0;
  return pointerType === "mouse" && width === 1 && height === 1 && pressure === 0;
}

/** Make a button one to hold: it then gets the events "held", "early" (detail: by keys) and "refused" (it is not to be used). */
export function holdable(element, clock = CLOCK) {
  const tell = (type, detail) => element.dispatchEvent(new CustomEvent(type, { detail }));
  const hold = createHold(
    {
      held: () => tell("held"),
      early: (keys) => tell("early", keys),
      begun: () => element.classList.add("holding"),
      ended: () => element.classList.remove("holding"),
    },
    clock,
  );
  let keys = false; // whether a key holds it
  let read = false; // whether the tap that goes on is a screen reader's
  const letGo = () => {
    hold.up({ keys });
    keys = false;
  };
  element.addEventListener("pointerdown", (event) => {
    read = fromScreenReader(event);
    if (event.button !== 0 || off(element) || read) return;
    try {
      element.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that is gone already cannot be captured; its end lets go all the same.
    }
    hold.down();
  });
  element.addEventListener("pointermove", (event) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const x = Math.max(left - event.clientX, event.clientX - right);
    const y = Math.max(top - event.clientY, event.clientY - bottom);
    if (Math.max(x, y) > SLIP) letGo();
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) element.addEventListener(type, letGo);
  element.addEventListener("keydown", (event) => {
    if (!isKey(event)) return;
    event.preventDefault(); // no click as well
    if (event.repeat) return;
    if (off(element)) {
      tell("refused");
      return;
    }
    keys = true;
    hold.down({ keys });
  });
  element.addEventListener("keyup", (event) => {
    if (!isKey(event)) return;
    event.preventDefault();
    letGo();
  });
  element.addEventListener("click", (event) => {
    if (off(element)) tell("refused");
    else if (event.detail === 0 || read) {
      hold.down({ keys: true });
      hold.up({ keys: true });
    }
  });
  element.addEventListener("contextmenu", (event) => event.preventDefault()); // a long press on Android
}
