// What is shown after a call is a good part of the page, and nobody needs it to see whose turn it is: it is fetched when the
// table has been drawn, while the first bids are made.

import { fetched } from "./fetched.js";

const SOON = 1500; // ms after the first drawing

const views = fetched(() => import("./revealed.js"));

/** Have them fetched soon: the table is there. */
export const soon = (store) => setTimeout(() => views.bring(store), SOON);

/** What `draw` makes of the views of `revealed.js`; until they are there, that they are looked for. */
export const afterCall = views.use;
