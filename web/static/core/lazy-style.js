// A style sheet that comes with a module which is loaded later.

/** Settles once the style sheet at `url` applies. Rejects if it cannot be loaded. */
export const loadStyle = (url) =>
  new Promise((done, failed) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: url.href, onload: done, onerror: failed });
    document.head.append(link);
  });
