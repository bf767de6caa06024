// Dutch: the words of the demo’s robots.

export const words = {
  title: "Je dobbelstenen en de robots",
  against: (n) => `Speel tegen ${n} robots`,
  inShort: "Dobbelstenen onder bekers: bied, bluf, roep dudo.",
  newHere: "Nieuw bij Perudo?",
  strengths: { easy: "Makkelijk", medium: "Gemiddeld", hard: "Moeilijk" },
  friends: "Vrienden kiezen met hun telefoon een plaats: dan spelen zij in plaats van de robot.",
  instead: (strength) => `In plaats van de robot (${strength.toLowerCase()})`,
  thinks: (name, strength) => `${name} denkt na (robot, ${strength.toLowerCase()})`,
  faster: "Sneller",
  waiting: "De robots wachten: er is iets ongedaan gemaakt.",
  goOn: "Robots, ga door",
  look: "Je dobbelstenen: houd ingedrukt en kijk",
  yours: (faces) => `Jouw dobbelstenen: ${faces}`,
  thrown: "Je dobbelstenen rollen nog",
};
