// The views needed once the cups go up, as one module for `lazy-views.js`.

import { loadStyle } from "../core/lazy.js";
import { styled as live } from "../picture/live-picture.js";

export { correctionForm } from "../picture/correction.js";
export { handCount } from "./hand-count.js";
export { asideButton } from "./photo.js";
export { checkCard, readingCard } from "./reading.js";
export { judgeDock, callForm } from "./call.js";
export { nextDock, verdict } from "./verdict.js";

/** Settles once their style sheets apply. */
export const styled = Promise.all([live, loadStyle(new URL("show.css", import.meta.url))]);
