// Keeps the focused element on the screen, and clear of what is fixed to the foot of the screen or of a sheet.

const ROOM = 10; // px between them

let keys = true; // whether keys are used: this module is loaded at the first key, and a finger needs no help

document.addEventListener("keydown", () => (keys = true), true);
document.addEventListener("pointerdown", () => (keys = false), true);
document.addEventListener("focusin", ({ target }) => keys && requestAnimationFrame(() => uncover(target)));
new ResizeObserver(() => keys && uncover(document.activeElement)).observe(document.body); // what comes later pushes it down

function uncover(element) {
  const sheet = element.closest(".sheet");
  const around = sheet || element.closest("main");
  if (!around || element === around || element !== document.activeElement) return;
  const feet = [...document.querySelectorAll(sheet ? ".sheet .handpad" : ".shelf, main > .dock, main > .pad")];
  if (feet.some((foot) => foot.contains(element))) return;
  const clear = (edge) => {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom > edge) (sheet || window).scrollBy(0, Math.min(bottom - edge + ROOM, top));
  };
  clear(innerHeight);
  const { top, bottom } = element.getBoundingClientRect();
  const above = feet.filter((foot) => ["sticky", "fixed"].includes(getComputedStyle(foot).position)).map((foot) => foot.getBoundingClientRect());
  clear(Math.min(...above.filter((foot) => bottom > foot.top && top < foot.bottom).map((foot) => foot.top)));
}
