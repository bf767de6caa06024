// Dark or light, before anything is drawn: as the phone has it, or as it was chosen in the settings. Not a module: those
// run only once the page has been drawn, and a dark page must not flash up white.

(() => {
  const COLOURS = { dark: "#0d2a20", light: "#f1eee3" }; // of the browser's own bars
  const preference = matchMedia("(prefers-color-scheme: light)");
  let chosen = "auto";

  function show() {
    const theme = chosen === "auto" ? (preference.matches ? "light" : "dark") : chosen;
    document.documentElement.classList.remove("dark", "light");
    document.documentElement.classList.add(theme);
    for (const meta of document.querySelectorAll("meta[name='theme-color']")) meta.content = COLOURS[theme];
  }

  function choose(theme) {
    chosen = theme === "dark" || theme === "light" ? theme : "auto";
    show();
  }

  try {
    choose(JSON.parse(localStorage.getItem("perudo-settings") || "{}").theme);
  } catch {
    choose("auto"); // the browser keeps nothing for this page, or something else was kept there
  }
  preference.addEventListener("change", show);
  addEventListener("perudo-theme", (event) => choose(event.detail));
})();
