// Sheets that are seldom opened: their modules are fetched when they are.

import { fetched } from "./fetched.js";
import { say } from "./words.js";

const LATER = {
  rules: fetched(() => import("./view-rules.js")),
  settings: fetched(() => import("./view-settings.js")),
};

/** Whether a sheet of this kind is one of them. */
export const isLater = (kind) => kind in LATER;

/** [title, content] of the open sheet; until it is there, that it is looked for. */
export const laterSheet = (ctx, sheet, close) =>
  LATER[sheet.kind].use(ctx.store, (module) => module.sheet(ctx, sheet, close), (waiting) => [say.menu, waiting]);
