// Sets dark or light and the font before anything is drawn: the phone's theme, or the one chosen in the settings. It is not a
// module, because modules run after the first drawing, and a dark page must not flash white.

(() => {
  const COLOURS = { dark: "#0b2119", light: "#f6f2e8" }; // of the browser's bars
  const FONT_DELAY = 4000; // ms after the page, so that its first load stays light
  const page = document.documentElement.classList;
  const television = ["/board", "/overlay"].includes(location.pathname);
  const preference = matchMedia("(prefers-color-scheme: light)");
  let chosen = "auto";

  function show() {
    const theme = location.pathname === "/overlay" ? "dark" : chosen === "auto" ? (preference.matches ? "light" : "dark") : chosen;
    page.remove("dark", "light");
    page.add(theme);
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

  // A phone has the font from its second visit on: letters that change their width under a finger would be worse. A television
  // is looked at all evening, and has it at once.
  try {
    if (television || localStorage.getItem("perudo-font")) page.add("figtree");
    else addEventListener("load", () => setTimeout(() => document.fonts.load("1em Figtree").then(() => localStorage.setItem("perudo-font", "figtree"), () => {}), FONT_DELAY));
  } catch {
    // Storage is not available: the system's font stays.
  }
  preference.addEventListener("change", show);
  addEventListener("perudo-theme", (event) => choose(event.detail));
})();
