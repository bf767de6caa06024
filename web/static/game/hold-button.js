// A button that has to be held, so that nobody calls by accident. With a keyboard or a screen reader, two presses within a
// few seconds do the same.

export const HOLD = 600; // ms to hold it
export const AGAIN = 3000; // ms within which the second press of a key counts
const SLIP = 24; // px that a thumb may slip off the button

/** The clock of a hold; tests pass another. */
export const CLOCK = { now: () => performance.now(), set: (done, ms) => setTimeout(done, ms), clear: (id) => clearTimeout(id) };

/**
 * The logic of a hold. `down` begins it, `up` ends it, both with `keys` true for a keyboard.
 *
 * Calls `begun`, then `ended`, and then `held` if it was held long enough (or pressed twice), else `early(keys)`.
 */
export function createHold({ held, early, begun, ended }, clock = CLOCK) {
  let timer = null;
  let before = -Infinity; // when a key was released too early
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
// A screen reader's double tap: a pointer without a size, on Android a mouse without a pressed button.
function fromScreenReader({ width, height, pressure, pointerType }) {
  if (!/Android/.test(navigator.userAgent)) return width === 0 && height === 0;
  return pointerType === "mouse" && width === 1 && height === 1 && pressure === 0;
}

/** Make a button one to hold. It gets the events "held", "early" (detail: by keys) and "refused" (it may not be used). */
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
  let keys = false; // whether it is held with a key
  let read = false; // whether the current tap is a screen reader's
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
      // A pointer that is already gone cannot be captured; its end releases the button anyway.
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
    event.preventDefault(); // no click in addition
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
