// Lets the browser keep the page's shell (see sw.js). Browsers allow that to a page that came by https or from this very
// device; on plain http, the way most phones come, there is nothing to register and nothing is lost.

if ("serviceWorker" in navigator) {
  const keep = () => {
    navigator.serviceWorker.register("/sw.js").catch(() => {
      // Refused, as in some private windows: then the page is what it is without.
    });
  };
  if (document.readyState === "complete") keep();
  else window.addEventListener("load", keep); // nothing of it may hold up the first picture of the table
}
