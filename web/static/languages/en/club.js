// English: the words of a table's club.

const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);

export const words = {
  rounds: { round: (n) => `Round ${n}`, final: "Final", playOff: "Play-off" },
  heading: (round, tournament) => `${round} of ${tournament}`,
  play: (names) => `${list(names)} ${names.length === 1 ? "plays" : "play"} at this table`,
  whole: (heading, play) => `${heading}: ${play}`,
  next: (heading, names) => `Next here: ${list(names)} (${heading})`,
  setUp: "Set up their game",
  others: "Other players",
  member: (club) => `This table is in ${club}.`,
  away: (club) => `This table is in ${club}, which does not answer now. No game waits for it.`,
};
