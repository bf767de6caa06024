// What the table says of pictures from phones, in Dutch: loaded when a picture may be taken.

export const messages = {
  "No camera hangs over the table: take a picture of the dice with a phone.": "Er hangt geen camera boven de tafel: maak met een telefoon een foto van de dobbelstenen.",
  "The picture has arrived. Reading the dice.": "De foto is binnen. Ik lees de dobbelstenen.",
  "This is not a picture that can be read here. Take another one.": "Deze foto kan hier niet worden gelezen. Maak een andere.",
  "This picture is in the HEIC format, which the box cannot read. Take it here, or set the phone's camera to JPEG.": "Deze foto is in het HEIC-formaat, dat het kastje niet leest. Maak hem hier, of zet de camera van de telefoon op JPEG.",
  "The picture is too dark. Switch on a light, and take another one.": "De foto is te donker. Doe een lamp aan en maak een andere.",
  "I see no dice in the picture. Take another one, from above, with all the dice in it.": "Ik zie geen dobbelstenen op de foto. Maak een andere, van bovenaf, met alle dobbelstenen erop.",
  "The dice are too small in the picture. Go nearer, or take several pictures.": "De dobbelstenen zijn te klein op de foto. Ga dichterbij, of maak meer foto’s.",
  "The picture is blurred. Hold the phone still, and take another one.": "De foto is onscherp. Houd de telefoon stil en maak een andere.",
  "A die is cut off at the edge of the picture. Take another one with all the dice in it.": "Een dobbelsteen valt half buiten de foto. Maak een andere met alle dobbelstenen erop.",
  "The picture does not show the dice in play. Take another one, from above, with all the dice in it.": "Op de foto staan niet de dobbelstenen die in het spel zijn. Maak een andere, van bovenaf, met alle dobbelstenen erop.",
  "The pictures do not fit together. Each must show a good part of another one.": "De foto’s passen niet aan elkaar. Op elke foto moet een flink deel van een andere staan.",
  "That is more pictures than this table takes in a round. Count the dice by hand.": "Dat zijn meer foto’s dan deze tafel in een ronde aanneemt. Tel de dobbelstenen met de hand.",
  "Choose {most} pictures of one table at most.": "Kies hoogstens {most} foto’s van één tafel.",
  "This picture is too large for the box.": "Deze foto is te groot voor het kastje.",
  "No picture of the dice is needed now.": "Er is nu geen foto van de dobbelstenen nodig.",
  "Too many pictures arrive at once. Try again in a moment.": "Er komen te veel foto’s tegelijk binnen. Probeer het zo nog eens.",
};
