// Sets what the page needs before anything is drawn, as it was chosen on this phone: dark or light, the font, the language. It is
// not a module, because modules run after the first drawing: a dark page must not flash white, and the words of the language are
// asked for beside the modules; `languages/language.js` takes what has come.

(() => {
  const page = document.documentElement;
  const { languages, words, language } = page.dataset;
  const offered = JSON.parse(languages);
  let kept = "";
  try {
    kept = localStorage.getItem("perudo-language");
  } catch {
    // storage is not available
  }
  const known = (id) => offered.some((each) => each.id === id);
  // Of "pt-BR" itself, else of "pt".
  function ofTag(tag) {
    const found = offered.find(({ tags }) => tags.some((each) => each.toLowerCase() === tag));
    return found ? found.id : tag.includes("-") && ofTag(tag.slice(0, tag.lastIndexOf("-")));
  }
  // Without a choice it is the language of the box, else the browser's first that the page has.
  const found = [kept, language].find(known) || (navigator.languages || []).map((tag) => ofTag(tag.toLowerCase())).find(Boolean);
  page.lang = found || "en";
  if (!found) page.dataset.unknown = "";
  page.dataset.able = ""; // unless `too-old.js` finds that it is not

  const folder = new URL(`../languages/${page.lang}/`, document.currentScript.src);
  const add = (tag, properties) => document.head.append(Object.assign(document.createElement(tag), properties));
  for (const name of words.split(" ")) {
    if (page.lang !== "en" || !name.endsWith("messages")) add("link", { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: `${folder}${name}.json` });
  }
  add("script", { type: "module", src: `${folder}grammar.js` });
})();

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
