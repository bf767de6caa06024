// What calibrating says, in Italian: message -> what it is here. `{name:form}` is a form of the grammar in words-it.js.

export const told = {

  // The calibration under way
  "Nobody is calibrating now.": "Adesso nessuno sta calibrando.",
  "The dice are being read just now. Calibrate when they have been.": "I dadi vengono letti proprio ora. Calibra quando ha finito.",
  "The dice are being read. Calibrating goes on after that.": "I dadi vengono letti. La calibrazione continua dopo.",
  "Nothing was found yet that could be kept.": "Non c’è ancora niente da conservare.",
  "The lens comes first: take the pictures of the sheet.": "Prima l’obiettivo: scatta le foto del foglio.",
  "Working out the lens. The sheet can go down on the table.": "Calcolo l’obiettivo. Il foglio si può posare sul tavolo.",
  "The line on the sheet is 80 to 120 mm long: measure it once more.": "La linea sul foglio è lunga da 80 a 120 mm: misurala ancora una volta.",
  "A square on a screen is 5 to 100 mm wide: measure it once more.": "Una casella su uno schermo è larga da 5 a 100 mm: misurala ancora una volta.",
  "I see no dice. Put them into the picture, without cups.": "Non vedo dadi. Mettili nell’immagine, senza bicchieri.",
  "Put one die of each player into the picture, a hand's breadth apart, or leave a roll as it lies.": "Metti un dado di ogni giocatore nell’immagine, a una mano di distanza, oppure lascia un lancio com’è.",
  "Throw all the dice and take the hands away.": "Lancia tutti i dadi e togli le mani.",
  "Print the sheet, or show it on a tablet.": "Stampa il foglio, o mostralo su un tablet.",
  "Lay the sheet flat in the middle of the table, and take the hands away.": "Posa il foglio piatto in mezzo al tavolo e togli le mani.",
  "I see the sheet. Does it lie flat on the table?": "Vedo il foglio. È piatto sul tavolo?",
  "Good. Hold it still.": "Bene. Tienilo fermo.",
  "I do not see the sheet. Put it under the camera, printed side up.": "Non vedo il foglio. Mettilo sotto la telecamera, con la parte stampata in su.",
  "Without the sheet the lens stays unknown: dice near the edge of the picture are read less surely.": "Senza il foglio l’obiettivo resta sconosciuto: i dadi vicino al bordo dell’immagine vengono letti con meno sicurezza.",
  "The maker's figures stand for the lens then; your own lens may differ a little from them.": "Allora valgono i dati del produttore; il tuo obiettivo può essere un po’ diverso.",
  "Without this step, colours that are alike are mixed up more easily under a warm lamp.": "Senza questo passo, i colori simili si confondono più facilmente sotto una lampada calda.",
  "Another phone is calibrating. Watch, or take over.": "Un altro telefono sta calibrando. Guarda, o continua da qui.",
  "{player} is calibrating. Watch, or take over.": "{player} sta calibrando. Guarda, o continua da qui.",
  "{profile} is kept. The dice are read with it from now on.": "{profile} è stato conservato. D’ora in poi i dadi vengono letti con questo profilo.",
  "The profile could not be kept: {reason}.": "Non è stato possibile conservare il profilo: {reason}.",
  "This table has no camera to calibrate.": "Questo tavolo non ha una telecamera da calibrare.",
};
