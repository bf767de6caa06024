// Dutch: the words of the page of the box.

import { words as https } from "./https.js";

export const words = {
  https,
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
  "This file is not a backup of a Perudo box.": "Dit bestand is geen reservekopie van een Perudo-kastje.",
  "This backup is damaged, and nothing was changed. Take another one.": "Deze reservekopie is beschadigd, en er is niets veranderd. Neem een andere.",
  "This backup was made by a newer program. Update this box first.": "Deze reservekopie komt van een nieuwer programma. Werk dit kastje eerst bij.",
  "There are too many pictures on this box for one file.": "Er staan te veel foto’s op dit kastje voor één bestand.",
  "There is too little room on the box's memory card: {megabytes} MB more are needed.": "Er is te weinig ruimte op de geheugenkaart van het kastje: er is {megabytes} MB meer nodig.",
  "The backup could not be written ({reason}).": "De reservekopie kon niet worden geschreven ({reason}).",
  "The backup could not be unpacked ({reason}).": "De reservekopie kon niet worden uitgepakt ({reason}).",
  "The box is busy with a backup. Wait until it is done.": "Het kastje is bezig met een reservekopie. Wacht tot die klaar is.",
  "The file did not arrive whole. Choose it again.": "Het bestand is niet heel aangekomen. Kies het nog eens.",
  "This file is too large for a backup of this box.": "Dit bestand is te groot voor een reservekopie van dit kastje.",
  "There is no backup to put back now. Choose the file again.": "Er is nu geen reservekopie om terug te zetten. Kies het bestand nog eens.",
  "What was here before is no longer there.": "Wat hier eerder stond, is er niet meer.",
  "Something went wrong inside the box; its log says what. Nothing was changed.": "Er ging iets mis in het kastje; het logboek zegt wat. Er is niets veranderd.",
  "No USB stick is plugged into the box. Plug one in, and try again.": "Er zit geen USB-stick in het kastje. Steek er een in en probeer het nog eens.",
  "There is too little room on the USB stick.": "Er is te weinig ruimte op de USB-stick.",
  "The USB stick cannot be written: it may have a switch against that.": "Op de USB-stick kan niet worden geschreven: misschien zit er een schuifje op dat dat verhindert.",
  "This backup is no longer on the USB stick.": "Deze reservekopie staat niet meer op de USB-stick.",
  "The USB stick cannot be used. Try another one.": "De USB-stick kan niet worden gebruikt. Probeer een andere.",
  "The certificate could not be made: {reason}.": "Het certificaat kon niet worden gemaakt: {reason}.",
};
