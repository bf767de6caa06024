// The settings of this phone, kept by the browser and never sent anywhere. If the browser stores nothing (a private window,
// cookies switched off), they last until the page is closed.

const KEY = "perudo-settings";
const DEFAULT = { voice: false, sound: false, vibration: false, theme: "auto", played: false };

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) || "{}");
    const same = (name) => typeof found[name] === typeof DEFAULT[name];
    return { ...DEFAULT, ...Object.fromEntries(Object.keys(DEFAULT).filter(same).map((name) => [name, found[name]])) };
  } catch {
    return { ...DEFAULT }; // storage is not available, or something else was stored there
  }
}

let values = read();

/** Whether the browser stores the settings. */
export let persistent = true;

/**
 * The settings: `{voice, sound, vibration, theme, played}`; the theme is "auto", "dark" or "light"; played: whether
 * somebody has played a round here.
 */
export const settings = () => values;

/** Change a setting and store it. */
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
