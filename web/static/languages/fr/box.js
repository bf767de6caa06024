// French: the words of the page of the box.

export const words = {
  title: "Le boîtier",
  toTable: "Retour à la table",
  version: "Version",
  name: "Nom",
  notHost: "Seul le téléphone de l’hôte s’occupe du boîtier. Celui-ci peut regarder.",
  joinFirst: "L’hôte s’occupe du boîtier\u202f: rejoins d’abord la table avec son code.",
  join: "Rejoindre",
  log: "Journal technique",
  logHint: "Ce que le boîtier a noté, en anglais\u202f: pour qui cherche une panne.",
  showLog: "Voir le journal technique",
  logEmpty: "Rien n’a encore été noté.",
  saveLog: "Enregistrer en fichier texte",
};

/** The messages that only this page shows. */
export const messages = {
  "Only the host's phone looks after the box.": "Seul le téléphone de l’hôte s’occupe du boîtier.",
  "A game is going on: end it first, or wait for its end.": "Une partie est en cours\u202f: termine-la d’abord, ou attends la fin.",
};
