// English: the words of the demo’s robots.

export const words = {
  title: "Your dice and the robots",
  against: (n) => `Play against ${n} robots`,
  inShort: "Dice under cups: bid, doubt, bluff.",
  newHere: "New to Perudo?",
  strengths: { easy: "Easy", medium: "Medium", hard: "Hard" },
  friends: "Friends take a seat with their phones: then they play, not the robot.",
  instead: (strength) => `Instead of the robot (${strength.toLowerCase()})`,
  thinks: (name, strength) => `${name} is thinking (robot, ${strength.toLowerCase()})`,
  faster: "Faster",
  waiting: "The robots wait: something was undone.",
  goOn: "Robots, go on",
  look: "Your dice: hold to look",
  yours: (faces) => `Your dice: ${faces}`,
  thrown: "Your dice are still rolling",
};
