// What the table says of pictures from phones, in Italian: loaded when a picture may be taken.

export const messages = {
  "No camera hangs over the table: take a picture of the dice with a phone.": "Nessuna telecamera sopra il tavolo: fotografate i dadi con un telefono.",
  "The picture has arrived. Reading the dice.": "La foto è arrivata. Leggo i dadi.",
  "This is not a picture that can be read here. Take another one.": "Questa foto non si può leggere qui. Fanne un’altra.",
  "This picture is in the HEIC format, which the box cannot read. Take it here, or set the phone's camera to JPEG.": "Questa foto è in formato HEIC, che l’apparecchio non legge. Scattala qui, o imposta la fotocamera del telefono su JPEG.",
  "The picture is too dark. Switch on a light, and take another one.": "La foto è troppo scura. Accendi una luce e fanne un’altra.",
  "I see no dice in the picture. Take another one, from above, with all the dice in it.": "Non vedo dadi nella foto. Fanne un’altra, dall’alto, con tutti i dadi.",
  "The dice are too small in the picture. Go nearer, or take several pictures.": "I dadi sono troppo piccoli nella foto. Avvicinati, o fai più foto.",
  "The picture is blurred. Hold the phone still, and take another one.": "La foto è mossa. Tieni fermo il telefono e fanne un’altra.",
  "A die is cut off at the edge of the picture. Take another one with all the dice in it.": "Un dado è tagliato al bordo della foto. Fanne un’altra con tutti i dadi.",
  "The picture does not show the dice in play. Take another one, from above, with all the dice in it.": "La foto non mostra i dadi in gioco. Fanne un’altra, dall’alto, con tutti i dadi.",
  "The pictures do not fit together. Each must show a good part of another one.": "Le foto non combaciano. Ognuna deve mostrare una buona parte di un’altra.",
  "That is more pictures than this table takes in a round. Count the dice by hand.": "Sono più foto di quante questo tavolo ne accetti in un round. Conta i dadi a mano.",
  "Choose {most} pictures of one table at most.": "Scegli al massimo {most} foto dello stesso tavolo.",
  "This picture is too large for the box.": "Questa foto è troppo grande per l’apparecchio.",
  "No picture of the dice is needed now.": "Adesso non serve nessuna foto dei dadi.",
  "Too many pictures arrive at once. Try again in a moment.": "Arrivano troppe foto insieme. Riprova tra un attimo.",
};
