// What the page shows once the cups go up, in one: see `after-call.js`.

export { correctionForm } from "../picture/correction.js";
export { handCount } from "./hand-count.js";
export { checkCard, readingCard } from "./reading.js";
export { judgeDock, callForm } from "./call.js";
export { nextDock, verdict } from "./verdict.js";
