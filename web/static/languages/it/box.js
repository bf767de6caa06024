// Italian: the words of the page of the box.

import { words as https } from "./https.js";

export const words = {
  https,
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
  "This file is not a backup of a Perudo box.": "Questo file non è una copia di un apparecchio Perudo.",
  "This backup is damaged, and nothing was changed. Take another one.": "Questa copia è rovinata, e non è stato cambiato nulla. Prendine un’altra.",
  "This backup was made by a newer program. Update this box first.": "Questa copia viene da un programma più recente. Prima aggiorna questo apparecchio.",
  "There are too many pictures on this box for one file.": "Su questo apparecchio ci sono troppe immagini per un solo file.",
  "There is too little room on the box's memory card: {megabytes} MB more are needed.": "Sulla scheda di memoria dell’apparecchio c’è poco spazio: servono altri {megabytes} MB.",
  "The backup could not be written ({reason}).": "Non è stato possibile scrivere la copia ({reason}).",
  "The backup could not be unpacked ({reason}).": "Non è stato possibile aprire la copia ({reason}).",
  "The box is busy with a backup. Wait until it is done.": "L’apparecchio è occupato con una copia. Aspetta che finisca.",
  "The file did not arrive whole. Choose it again.": "Il file non è arrivato intero. Sceglilo di nuovo.",
  "This file is too large for a backup of this box.": "Questo file è troppo grande per una copia di questo apparecchio.",
  "There is no backup to put back now. Choose the file again.": "Ora non c’è nessuna copia da rimettere. Scegli di nuovo il file.",
  "What was here before is no longer there.": "Ciò che c’era prima non c’è più.",
  "Something went wrong inside the box; its log says what. Nothing was changed.": "Qualcosa è andato storto nell’apparecchio; il suo registro dice che cosa. Non è stato cambiato nulla.",
  "No USB stick is plugged into the box. Plug one in, and try again.": "Nell’apparecchio non c’è nessuna chiavetta USB. Inseriscine una e riprova.",
  "There is too little room on the USB stick.": "Sulla chiavetta USB c’è poco spazio.",
  "The USB stick cannot be written: it may have a switch against that.": "Sulla chiavetta USB non si può scrivere: forse ha un interruttore che lo impedisce.",
  "This backup is no longer on the USB stick.": "Questa copia non è più sulla chiavetta USB.",
  "The USB stick cannot be used. Try another one.": "La chiavetta USB non si può usare. Provane un’altra.",
  "The certificate could not be made: {reason}.": "Non è stato possibile fare il certificato: {reason}.",
};
