// What the table says of pictures from phones, in Spanish: loaded when a picture may be taken.

export const messages = {
  "No camera hangs over the table: take a picture of the dice with a phone.": "No hay ninguna cámara sobre la mesa: haz una foto de los dados con un teléfono.",
  "The picture has arrived. Reading the dice.": "La foto ha llegado. Leo los dados.",
  "This is not a picture that can be read here. Take another one.": "Esta foto no se puede leer aquí. Haz otra.",
  "This picture is in the HEIC format, which the box cannot read. Take it here, or set the phone's camera to JPEG.": "Esta foto está en formato HEIC, que el aparato no lee. Hazla aquí, o pon la cámara del teléfono en JPEG.",
  "The picture is too dark. Switch on a light, and take another one.": "La foto está demasiado oscura. Enciende una luz y haz otra.",
  "I see no dice in the picture. Take another one, from above, with all the dice in it.": "No veo dados en la foto. Haz otra, desde arriba, con todos los dados.",
  "The dice are too small in the picture. Go nearer, or take several pictures.": "Los dados salen demasiado pequeños en la foto. Acércate, o haz varias fotos.",
  "The picture is blurred. Hold the phone still, and take another one.": "La foto está borrosa. Mantén quieto el teléfono y haz otra.",
  "A die is cut off at the edge of the picture. Take another one with all the dice in it.": "Un dado está cortado en el borde de la foto. Haz otra con todos los dados.",
  "The picture does not show the dice in play. Take another one, from above, with all the dice in it.": "La foto no muestra los dados en juego. Haz otra, desde arriba, con todos los dados.",
  "The pictures do not fit together. Each must show a good part of another one.": "Las fotos no encajan entre sí. Cada una debe compartir un buen trozo con otra.",
  "That is more pictures than this table takes in a round. Count the dice by hand.": "Son más fotos de las que esta mesa admite en una ronda. Cuenta los dados a mano.",
  "Choose {most} pictures of one table at most.": "Elige como mucho {most} fotos de la misma mesa.",
  "This picture is too large for the box.": "Esta foto es demasiado grande para el aparato.",
  "No picture of the dice is needed now.": "Ahora no hace falta ninguna foto de los dados.",
  "Too many pictures arrive at once. Try again in a moment.": "Llegan demasiadas fotos a la vez. Vuelve a intentarlo en un momento.",
};
