// Says that the browser is too old, unless the page draws. It is not a module, and in the JavaScript of 1999: a browser that
// cannot run the page has to run it.

(function () {
  var root = document.documentElement;
  var page = document.getElementById("app") || document.getElementById("board");
  var modules = "noModule" in document.createElement("script");
  var patience = modules ? 10000 : 0; // ms until a browser that knows modules has loaded them
  var began = new Date().getTime();

  function look() {
    if (page.firstChild) {
      root.setAttribute("data-able", "");
      return;
    }
    if (new Date().getTime() - began >= patience) root.removeAttribute("data-able");
    setTimeout(look, 500);
  }

  look();
})();
