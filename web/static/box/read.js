// What only the host's phone may read of the box.

import { say, textOf } from "../languages/language.js";

/** The answer of GET `/api/v1/box/...` as `{got}`, JSON or a `blob`; or as `{failed}` a sentence why there is none. */
export async function read(path, { patience = 120000, blob = false } = {}) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), patience);
  try {
    const answer = await fetch(`/api/v1/box/${path}`, { cache: "no-store", signal: abort.signal });
    if (answer.ok) return { got: await (blob ? answer.blob() : answer.json()) };
    return { failed: textOf(await answer.json()) || say.refused };
  } catch {
    return { failed: say.noAnswer };
  } finally {
    clearTimeout(timer);
  }
}

/** Have the browser save `blob` as a file of this name. */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
