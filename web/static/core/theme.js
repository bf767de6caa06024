// Sets dark or light before anything is drawn: the phone's theme, or the one chosen in the settings. It is not a module,
// because modules run after the first drawing, and a dark page must not flash white.

(() => {
  const COLOURS = { dark: "#0d2a20", light: "#f1eee3" }; // of the browser's bars
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
    choose("auto"); // storage is not available, or something else was stored there
  }
  preference.addEventListener("change", show);
  addEventListener("perudo-theme", (event) => choose(event.detail));
})();
