// Italian: the words of the page of the box.

export const words = {
  title: "L’apparecchio",
  toTable: "Torna al tavolo",
  version: "Versione",
  name: "Nome",
  notHost: "Solo il telefono di chi ospita si occupa dell’apparecchio. Questo può guardare.",
  joinFirst: "Dell’apparecchio si occupa chi ospita: prima unisciti al tavolo con il codice.",
  join: "Unisciti",
  log: "Registro tecnico",
  logHint: "Ciò che l’apparecchio ha annotato, in inglese: per chi cerca un guasto.",
  showLog: "Mostra il registro",
  logEmpty: "Non è ancora stato annotato nulla.",
  saveLog: "Salva come file di testo",
};

/** The messages that only this page shows. */
export const messages = {
  "Only the host's phone looks after the box.": "Dell’apparecchio si occupa solo il telefono di chi ospita.",
  "A game is going on: end it first, or wait for its end.": "È in corso una partita: concludila prima, o aspetta che finisca.",
};
