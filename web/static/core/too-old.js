// Says that the browser is too old, unless the page draws. It is not a module, and in the JavaScript of 1999: a browser that
// cannot run the page has to run it.

(function () {
  var SENTENCES = [
    ["en", "This browser is too old to show the table. Take a newer one, or a phone."],
    ["fr", "Ce navigateur est trop ancien pour montrer la table. Prenez-en un plus récent, ou un téléphone."],
    ["nl", "Deze browser is te oud om de tafel te laten zien. Neem een nieuwere, of een telefoon."],
    ["it", "Questo browser è troppo vecchio per mostrare il tavolo. Usatene uno più recente, o un telefono."],
    ["es", "Este navegador es demasiado antiguo para mostrar la mesa. Usa uno más nuevo, o un teléfono."]
  ];
  var page = document.getElementById("app") || document.getElementById("board");
  var modules = "noModule" in document.createElement("script");
  var patience = modules ? 10000 : 0; // ms until a browser that knows modules has loaded them
  var began = new Date().getTime();
  var said = null;

  function say() {
    said = document.createElement("div");
    said.id = "too-old";
    for (var n = 0; n < SENTENCES.length; n += 1) {
      var line = document.createElement("p");
      line.className = "noscript";
      line.lang = SENTENCES[n][0];
      line.appendChild(document.createTextNode(SENTENCES[n][1]));
      said.appendChild(line);
    }
    document.body.insertBefore(said, page);
  }

  function look() {
    if (page.firstChild) {
      if (said) said.parentNode.removeChild(said);
      return;
    }
    if (!said && new Date().getTime() - began >= patience) say();
    setTimeout(look, 500);
  }

  look();
})();
