// Says that the browser is too old, unless the page draws. It is not a module, and in the JavaScript of 1999: a browser that
// cannot run the page has to run it.

(function () {
  var sentence = document.getElementById("too-old");
  var page = document.getElementById("app") || document.getElementById("board");
  var modules = "noModule" in document.createElement("script");
  var patience = modules ? 10000 : 0; // ms until a browser that knows modules has loaded them
  var began = new Date().getTime();

  function look() {
    var waits = new Date().getTime() - began < patience;
    sentence.style.display = page.firstChild || waits ? "none" : "block";
    if (!page.firstChild) setTimeout(look, 500);
  }

  look();
})();
