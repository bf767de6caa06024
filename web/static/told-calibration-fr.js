// What calibrating says, in French: message -> what it is here. `{name:form}` is a form of the grammar in words-fr.js.

export const told = {

  // The calibration under way
  "Nobody is calibrating now.": "Personne ne fait de calibrage en ce moment.",
  "The dice are being read just now. Calibrate when they have been.": "Les dés sont en cours de lecture. Calibrez une fois qu’ils sont lus.",
  "The dice are being read. Calibrating goes on after that.": "Les dés sont en cours de lecture. Le calibrage reprend ensuite.",
  "Nothing was found yet that could be kept.": "Rien à garder pour l’instant.",
  "The lens comes first: take the pictures of the sheet.": "L’objectif d’abord\u202f: prenez les photos de la feuille.",
  "Working out the lens. The sheet can go down on the table.": "Je calcule l’objectif. Vous pouvez poser la feuille sur la table.",
  "The line on the sheet is 80 to 120 mm long: measure it once more.": "La ligne de la feuille mesure de 80 à 120 mm\u202f: mesurez-la encore une fois.",
  "A square on a screen is 5 to 100 mm wide: measure it once more.": "Sur un écran, une case mesure de 5 à 100 mm\u202f: mesurez-la encore une fois.",
  "I see no dice. Put them into the picture, without cups.": "Je ne vois pas de dés. Mettez-les dans l’image, sans gobelets.",
  "Put one die of each player into the picture, a hand's breadth apart, or leave a roll as it lies.": "Mettez un dé de chaque joueur dans l’image, à une largeur de main l’un de l’autre, ou laissez un lancer comme il est.",
  "Throw all the dice and take the hands away.": "Lancez tous les dés et retirez les mains.",
  "Print the sheet, or show it on a tablet.": "Imprimez la feuille, ou affichez-la sur une tablette.",
  "Lay the sheet flat in the middle of the table, and take the hands away.": "Posez la feuille à plat au milieu de la table et retirez les mains.",
  "I see the sheet. Does it lie flat on the table?": "Je vois la feuille. Est-elle à plat sur la table\u202f?",
  "Good. Hold it still.": "Bien. Ne bougez plus.",
  "I do not see the sheet. Put it under the camera, printed side up.": "Je ne vois pas la feuille. Mettez-la sous la caméra, côté imprimé vers le haut.",
  "Without the sheet the lens stays unknown: dice near the edge of the picture are read less surely.": "Sans la feuille, l’objectif reste inconnu\u202f: les dés au bord de l’image sont lus moins sûrement.",
  "The maker's figures stand for the lens then; your own lens may differ a little from them.": "Les chiffres du fabricant valent alors pour l’objectif\u202f; le vôtre peut en différer un peu.",
  "Without this step, colours that are alike are mixed up more easily under a warm lamp.": "Sans cette étape, des couleurs proches se confondent plus facilement sous une lampe chaude.",
  "Another phone is calibrating. Watch, or take over.": "Un autre téléphone fait le calibrage. Regardez, ou prenez la main.",
  "{player} is calibrating. Watch, or take over.": "{player} fait le calibrage. Regardez, ou prenez la main.",
  "{profile} is kept. The dice are read with it from now on.": "{profile} est gardé. Les dés sont désormais lus avec lui.",
  "The profile could not be kept: {reason}.": "Le profil n’a pas pu être gardé\u202f: {reason}.",
  "This table has no camera to calibrate.": "Cette table n’a pas de caméra à calibrer.",
};
