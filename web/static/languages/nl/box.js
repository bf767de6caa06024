// Dutch: the words of the page of the box.

export const words = {
  title: "Het kastje",
  toTable: "Terug naar de tafel",
  version: "Versie",
  name: "Naam",
  notHost: "Alleen de telefoon van de gastheer zorgt voor het kastje. Deze mag kijken.",
  joinFirst: "De gastheer zorgt voor het kastje: doe eerst mee met de code van de tafel.",
  join: "Meedoen",
  log: "Logboek",
  logHint: "Wat het kastje heeft opgeschreven, in het Engels: voor wie een fout zoekt.",
  showLog: "Logboek tonen",
  logEmpty: "Er is nog niets opgeschreven.",
  saveLog: "Bewaren als tekstbestand",
};

/** The messages that only this page shows. */
export const messages = {
  "Only the host's phone looks after the box.": "Alleen de telefoon van de gastheer zorgt voor het kastje.",
  "A game is going on: end it first, or wait for its end.": "Er is een spel bezig: stop het eerst, of wacht tot het is afgelopen.",
};
