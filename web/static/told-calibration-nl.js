// What calibrating says, in Dutch: message -> what it is here. `{name:form}` is a form of the grammar in words-nl.js.

export const told = {

  // The calibration under way
  "Nobody is calibrating now.": "Er is nu niemand aan het kalibreren.",
  "The dice are being read just now. Calibrate when they have been.": "De dobbelstenen worden net gelezen. Kalibreer als dat klaar is.",
  "The dice are being read. Calibrating goes on after that.": "De dobbelstenen worden gelezen. Daarna gaat het kalibreren verder.",
  "Nothing was found yet that could be kept.": "Er is nog niets gevonden om te bewaren.",
  "The lens comes first: take the pictures of the sheet.": "Eerst de lens: neem de foto’s van het vel.",
  "Working out the lens. The sheet can go down on the table.": "Ik bereken de lens. Het vel kan op de tafel worden gelegd.",
  "The line on the sheet is 80 to 120 mm long: measure it once more.": "De lijn op het vel is 80 tot 120 mm lang: meet hem nog een keer.",
  "A square on a screen is 5 to 100 mm wide: measure it once more.": "Een vak op een scherm is 5 tot 100 mm breed: meet het nog een keer.",
  "I see no dice. Put them into the picture, without cups.": "Ik zie geen dobbelstenen. Leg ze in beeld, zonder bekers.",
  "Put one die of each player into the picture, a hand's breadth apart, or leave a roll as it lies.": "Leg één dobbelsteen van elke speler in beeld, een handbreedte uit elkaar, of laat een worp liggen zoals hij ligt.",
  "Throw all the dice and take the hands away.": "Gooi alle dobbelstenen en haal de handen weg.",
  "Print the sheet, or show it on a tablet.": "Print het vel, of toon het op een tablet.",
  "Lay the sheet flat in the middle of the table, and take the hands away.": "Leg het vel plat midden op de tafel en haal de handen weg.",
  "I see the sheet. Does it lie flat on the table?": "Ik zie het vel. Ligt het plat op de tafel?",
  "Good. Hold it still.": "Goed. Houd het stil.",
  "I do not see the sheet. Put it under the camera, printed side up.": "Ik zie het vel niet. Leg het onder de camera, met de bedrukte kant naar boven.",
  "Without the sheet the lens stays unknown: dice near the edge of the picture are read less surely.": "Zonder het vel blijft de lens onbekend: dobbelstenen aan de rand van het beeld worden minder zeker gelezen.",
  "The maker's figures stand for the lens then; your own lens may differ a little from them.": "Dan gelden de cijfers van de fabrikant voor de lens; die van jou kan er iets van afwijken.",
  "Without this step, colours that are alike are mixed up more easily under a warm lamp.": "Zonder deze stap worden kleuren die op elkaar lijken onder een warme lamp eerder verwisseld.",
  "Another phone is calibrating. Watch, or take over.": "Een andere telefoon is aan het kalibreren. Kijk mee, of neem het over.",
  "{player} is calibrating. Watch, or take over.": "{player} is aan het kalibreren. Kijk mee, of neem het over.",
  "{profile} is kept. The dice are read with it from now on.": "{profile} is bewaard. Vanaf nu worden de dobbelstenen ermee gelezen.",
  "The profile could not be kept: {reason}.": "Het profiel kon niet worden bewaard: {reason}.",
  "This table has no camera to calibrate.": "Deze tafel heeft geen camera om te kalibreren.",
};
