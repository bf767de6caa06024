// English: the words of the page of the box. The other languages have the same words.

import { words as https } from "./https.js";

export const words = {
  https,
  title: "The box",
  toTable: "Back to the table",
  version: "Version",
  name: "Name",
  notHost: "Only the host’s phone looks after the box. This one may look.",
  joinFirst: "The host looks after the box: join with the table’s code first.",
  join: "Join",
  log: "Log",
  logHint: "What the box wrote down, in English: for whoever looks for a fault.",
  showLog: "Show the log",
  logEmpty: "Nothing was written down yet.",
  saveLog: "Save as a text file",
};
