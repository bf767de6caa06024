// French: the words of the demo’s robots.

export const words = {
  title: "Tes dés et les robots",
  against: (n) => `Jouer contre ${n} robots`,
  inShort: "Des dés sous des gobelets : annonce, doute, bluffe.",
  newHere: "Perudo, c’est quoi\u202f?",
  strengths: { easy: "Facile", medium: "Moyen", hard: "Difficile" },
  friends: "Les amis prennent une place avec leur téléphone\u202f: ils jouent alors à la place du robot.",
  instead: (strength) => `À la place du robot (${strength.toLowerCase()})`,
  thinks: (name, strength) => `${name} réfléchit (robot, ${strength.toLowerCase()})`,
  faster: "Plus vite",
  waiting: "Les robots attendent\u202f: quelque chose a été annulé.",
  goOn: "Robots, continuez",
  look: "Tes dés\u202f: garde appuyé pour les voir",
  yours: (faces) => `Tes dés\u202f: ${faces}`,
  thrown: "Tes dés roulent encore",
};
