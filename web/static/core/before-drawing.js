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

// Without a style sheet the page is only text: one that could not be fetched is asked for again.
addEventListener(
  "error",
  ({ target }) => {
    if (target.rel === "stylesheet") setTimeout(() => target.replaceWith(target.cloneNode()), 2000);
  },
  true, // the errors of elements do not bubble
);

(() => {
  const COLOURS = { dark: "#0b2119", light: "#f6f2e8" }; // of the browser's bars
  const FONT_TIME = 1000; // ms that it may take
  const { classList: page, dataset } = document.documentElement;
  const bright = matchMedia("(prefers-color-scheme: light)");
  const tablet = matchMedia("(min-width: 760px) and (min-height: 600px)");
  let chosen = "";

  // A table is green: on the television, in the demo, and on what is as large as a tablet. A phone is as its owner has it.
  function show() {
    const green = dataset.green && (dataset.green !== "table" || tablet.matches);
    const theme = chosen || (green || !bright.matches ? "dark" : "light");
    page.remove("dark", "light");
    page.add(theme);
    for (const meta of document.querySelectorAll("meta[name='theme-color']")) meta.content = COLOURS[theme];
  }

  function choose(theme) {
    chosen = location.pathname !== "/overlay" && COLOURS[theme] ? theme : "";
    show();
  }

  show();
  // The font is fetched once the page is drawn, so that its first load stays light, and is there at once from the second visit on.
  // Where it comes late, that visit keeps the system's: letters must not change their width under a finger.
  try {
    choose(JSON.parse(localStorage.getItem("perudo-settings") || "{}").theme);
    if (localStorage.getItem("perudo-font") || dataset.green === "television") page.add("figtree");
  } catch {
    // Storage is not available, or something else was stored there: each visit is the first.
  }
  async function wearFont() {
    const drawn = performance.now();
    await document.fonts.load("1em Figtree");
    if (performance.now() - drawn < FONT_TIME) page.add("figtree");
    localStorage.setItem("perudo-font", "figtree");
  }
  addEventListener("load", () => wearFont().catch(() => {})); // without the font or the storage, the page is whole
  bright.addEventListener("change", show);
  tablet.addEventListener("change", show);
  addEventListener("perudo-theme", (event) => choose(event.detail));
})();
