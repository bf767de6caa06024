// What this phone's owner chose for it alone: kept by the browser, never sent anywhere. Where the browser keeps nothing
// (a private window, cookies switched off) it lasts until the page is closed.

const KEY = "perudo-settings";
const DEFAULT = { voice: false, sound: false, vibration: false, theme: "auto" };

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) || "{}");
    const same = (name) => typeof found[name] === typeof DEFAULT[name];
    return { ...DEFAULT, ...Object.fromEntries(Object.keys(DEFAULT).filter(same).map((name) => [name, found[name]])) };
  } catch {
    return { ...DEFAULT }; // nothing may be read, or what is there was written by somebody else
  }
}

let values = read();

/** Whether the browser keeps what is chosen. */
export let persistent = true;

/** What is chosen: `{voice, sound, vibration, theme}`, the theme "auto", "dark" or "light". */
export const settings = () => values;

/** Choose, and keep it. */
export function choose(part) {
  values = { ...values, ...part };
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
    persistent = true;
  } catch {
    persistent = false;
  }
  if ("theme" in part) window.dispatchEvent(new CustomEvent("perudo-theme", { detail: values.theme }));
}
