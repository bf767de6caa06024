// What the table says of pictures from phones, in French: loaded when a picture may be taken.

export const messages = {
  "No camera hangs over the table: take a picture of the dice with a phone.": "Aucune caméra au-dessus de la table\u202f: prenez les dés en photo avec un téléphone.",
  "The picture has arrived. Reading the dice.": "La photo est arrivée. Lecture des dés.",
  "This is not a picture that can be read here. Take another one.": "Cette photo ne peut pas être lue ici. Prenez-en une autre.",
  "This picture is in the HEIC format, which the box cannot read. Take it here, or set the phone's camera to JPEG.": "Cette photo est au format HEIC, que le boîtier ne lit pas. Prenez-la ici, ou réglez l’appareil photo du téléphone sur JPEG.",
  "The picture is too dark. Switch on a light, and take another one.": "La photo est trop sombre. Allumez une lampe et prenez-en une autre.",
  "I see no dice in the picture. Take another one, from above, with all the dice in it.": "Je ne vois aucun dé sur la photo. Prenez-en une autre, d’en haut, avec tous les dés.",
  "The dice are too small in the picture. Go nearer, or take several pictures.": "Les dés sont trop petits sur la photo. Approchez-vous, ou prenez plusieurs photos.",
  "The picture is blurred. Hold the phone still, and take another one.": "La photo est floue. Tenez le téléphone immobile et prenez-en une autre.",
  "A die is cut off at the edge of the picture. Take another one with all the dice in it.": "Un dé est coupé au bord de la photo. Prenez-en une autre avec tous les dés.",
  "The picture does not show the dice in play. Take another one, from above, with all the dice in it.": "La photo ne montre pas les dés en jeu. Prenez-en une autre, d’en haut, avec tous les dés.",
  "The pictures do not fit together. Each must show a good part of another one.": "Les photos ne s’assemblent pas. Chacune doit montrer une bonne partie d’une autre.",
  "That is more pictures than this table takes in a round. Count the dice by hand.": "Cette table ne prend pas autant de photos par manche. Comptez les dés à la main.",
  "Choose {most} pictures of one table at most.": "Choisis au plus {most} photos d’une même table.",
  "This picture is too large for the box.": "Cette photo est trop grande pour le boîtier.",
  "No picture of the dice is needed now.": "Aucune photo des dés n’est attendue maintenant.",
  "Too many pictures arrive at once. Try again in a moment.": "Trop de photos arrivent à la fois. Réessaie dans un instant.",
};
