// The views needed once the cups go up, as one module for `lazy-views.js`.

export { correctionForm } from "../picture/correction.js";
export { handCount } from "./hand-count.js";
export { photoButtons } from "./photo.js";
export { checkCard, readingCard } from "./reading.js";
export { judgeDock, callForm } from "./call.js";
export { nextDock, verdict } from "./verdict.js";
