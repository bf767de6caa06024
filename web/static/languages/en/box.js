// English: the words of the page of the box. The other languages have the same words.

export const words = {
  title: "The box",
  toTable: "Back to the table",
  version: "Version",
  name: "Name",
  notHost: "Only the host’s phone looks after the box. This one may look.",
  joinFirst: "The host looks after the box: join with the table’s code first.",
  join: "Join",
};
