// What calibrating says, in Spanish: message -> what it is here. `{name:form}` is a form of the grammar in words-es.js.

export const told = {

  // The calibration under way
  "Nobody is calibrating now.": "Ahora nadie está calibrando.",
  "The dice are being read just now. Calibrate when they have been.": "Se están leyendo los dados. Calibra cuando hayan terminado.",
  "The dice are being read. Calibrating goes on after that.": "Se están leyendo los dados. Después sigue la calibración.",
  "Nothing was found yet that could be kept.": "Todavía no hay nada que guardar.",
  "The lens comes first: take the pictures of the sheet.": "Primero el objetivo: haz las fotos de la hoja.",
  "Working out the lens. The sheet can go down on the table.": "Calculando el objetivo. Ya puedes dejar la hoja en la mesa.",
  "The line on the sheet is 80 to 120 mm long: measure it once more.": "La línea de la hoja mide de 80 a 120 mm: mídela otra vez.",
  "A square on a screen is 5 to 100 mm wide: measure it once more.": "En una pantalla una casilla mide de 5 a 100 mm: mídela otra vez.",
  "I see no dice. Put them into the picture, without cups.": "No veo dados. Ponlos en la imagen, sin cubiletes.",
  "Put one die of each player into the picture, a hand's breadth apart, or leave a roll as it lies.": "Pon un dado de cada jugador en la imagen, a un palmo uno de otro, o deja una tirada como está.",
  "Throw all the dice and take the hands away.": "Tira todos los dados y aparta las manos.",
  "Print the sheet, or show it on a tablet.": "Imprime la hoja, o muéstrala en una tableta.",
  "Lay the sheet flat in the middle of the table, and take the hands away.": "Deja la hoja plana en medio de la mesa y aparta las manos.",
  "I see the sheet. Does it lie flat on the table?": "Veo la hoja. ¿Está plana sobre la mesa?",
  "Good. Hold it still.": "Bien. No la muevas.",
  "I do not see the sheet. Put it under the camera, printed side up.": "No veo la hoja. Ponla bajo la cámara, con lo impreso hacia arriba.",
  "Without the sheet the lens stays unknown: dice near the edge of the picture are read less surely.": "Sin la hoja no se conoce el objetivo: los dados cerca del borde de la imagen se leen con menos seguridad.",
  "The maker's figures stand for the lens then; your own lens may differ a little from them.": "Entonces valen los datos del fabricante; tu objetivo puede ser algo distinto.",
  "Without this step, colours that are alike are mixed up more easily under a warm lamp.": "Sin este paso, los colores parecidos se confunden más fácilmente bajo una lámpara cálida.",
  "Another phone is calibrating. Watch, or take over.": "Otro teléfono está calibrando. Mira, o sigue desde aquí.",
  "{player} is calibrating. Watch, or take over.": "{player} está calibrando. Mira, o sigue desde aquí.",
  "{profile} is kept. The dice are read with it from now on.": "{profile} se ha guardado. Desde ahora los dados se leen con él.",
  "The profile could not be kept: {reason}.": "No se pudo guardar el perfil: {reason}.",
  "This table has no camera to calibrate.": "Esta mesa no tiene cámara que calibrar.",
};
