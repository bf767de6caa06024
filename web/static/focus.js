// What has the keyboard is not left under what sticks to the foot of a phone's screen. For an import's sake alone.

const ROOM = 10; // px between the two

let keys = false; // a finger sees what it taps

document.addEventListener("keydown", () => (keys = true), true);
document.addEventListener("pointerdown", () => (keys = false), true);
document.addEventListener("focusin", ({ target }) => keys && requestAnimationFrame(() => uncover(target)));

function uncover(element) {
  const foot = document.querySelector("main > .dock, main > .pad");
  if (!foot || !element.closest("main") || element === element.closest("main") || foot.contains(element)) return;
  const { top, bottom } = element.getBoundingClientRect();
  const edge = foot.getBoundingClientRect();
  if (getComputedStyle(foot).position !== "sticky" || bottom <= edge.top || top >= edge.bottom) return;
  window.scrollBy(0, bottom - edge.top + ROOM);
}
