// A click counts for what the finger went down on. A finger that is lifted clicks on whatever lies under it by then, which the
// call of a held button, a tap of somebody else or the first tap of a double tap may have put or moved there.

const DOUBLE = 300; // ms between the two taps
const BESIDE = 36; // px

let first = { at: Infinity, x: 0, y: 0 }; // where and when a tap or a double tap began
let last = -Infinity; // when the latest tap began
let pressed; // what it pressed: null for nothing that can be, undefined once it has clicked

document.addEventListener("pointerdown", ({ timeStamp, clientX: x, clientY: y, isPrimary, target }) => {
  if (!isPrimary) return; // no click comes of another finger
  const again = timeStamp - last < DOUBLE && Math.hypot(x - first.x, y - first.y) < BESIDE;
  last = timeStamp;
  if (!again) first = { at: timeStamp, x, y };
  pressed = clickable(target);
}, true);

function clickable(element) {
  while (element && !(element._node && element._node.props.on && element._node.props.on.click)) element = element.parentNode;
  return element;
}

function guard(event) {
  if (event.detail === 0) return; // a key's click, or a script's
  const element = clickable(event.target);
  const meant = !element || pressed === undefined || (element === pressed && element._since <= first.at);
  if (event.type === "click") pressed = undefined;
  if (meant) return;
  event.stopPropagation();
  event.preventDefault();
}
for (const type of ["mousedown", "click"]) document.addEventListener(type, guard, true); // the first gives the focus
