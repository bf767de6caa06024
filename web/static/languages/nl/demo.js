// Dutch: the words of the demo’s robots.

export const words = {
  title: "Je dobbelstenen en de robots",
  against: (n) => `Speel tegen ${n} robots`,
  inShort: "Dobbelstenen onder bekers: bied, twijfel, bluf.",
  strengths: { easy: "Makkelijk", medium: "Gemiddeld", hard: "Moeilijk" },
  friends: "Vrienden nemen met hun telefoon een plaats: dan spelen zij in plaats van de robot.",
  instead: (strength) => `In plaats van de robot (${strength.toLowerCase()})`,
  thinks: (name, strength) => `${name} denkt na (robot, ${strength.toLowerCase()})`,
  faster: "Sneller",
  waiting: "De robots wachten: er is iets ongedaan gemaakt.",
  goOn: "Robots, ga door",
  look: "Jouw dobbelstenen: houd vast om te kijken",
  yours: (faces) => `Jouw dobbelstenen: ${faces}`,
  thrown: "Je dobbelstenen rollen nog",
};
