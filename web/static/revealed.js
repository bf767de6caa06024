// What the page shows once the cups go up, in one: see `after-call.js`.

export { putRight } from "./view-die.js";
export { hand } from "./view-hand.js";
export { checking, reading } from "./view-reveal.js";
export { judging, telling } from "./view-tell.js";
export { onwards, verdict } from "./view-verdict.js";
