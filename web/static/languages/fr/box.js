// French: the words of the page of the box.

import { words as https } from "./https.js";

export const words = {
  https,
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
  "This file is not a backup of a Perudo box.": "Ce fichier n’est pas une sauvegarde d’un boîtier Perudo.",
  "This backup is damaged, and nothing was changed. Take another one.": "Cette sauvegarde est abîmée, et rien n’a été changé. Prends-en une autre.",
  "This backup was made by a newer program. Update this box first.": "Cette sauvegarde vient d’un programme plus récent. Mets d’abord ce boîtier à jour.",
  "There are too many pictures on this box for one file.": "Il y a trop d’images sur ce boîtier pour un seul fichier.",
  "There is too little room on the box's memory card: {megabytes} MB more are needed.": "Il n’y a pas assez de place sur la carte mémoire du boîtier\u202f: il manque {megabytes}\u202fMo.",
  "The backup could not be written ({reason}).": "La sauvegarde n’a pas pu être écrite ({reason}).",
  "The backup could not be unpacked ({reason}).": "La sauvegarde n’a pas pu être ouverte ({reason}).",
  "The box is busy with a backup. Wait until it is done.": "Le boîtier est occupé par une sauvegarde. Attends qu’elle soit finie.",
  "The file did not arrive whole. Choose it again.": "Le fichier n’est pas arrivé en entier. Choisis-le encore une fois.",
  "This file is too large for a backup of this box.": "Ce fichier est trop gros pour être une sauvegarde de ce boîtier.",
  "There is no backup to put back now. Choose the file again.": "Il n’y a pas de sauvegarde à remettre en ce moment. Choisis encore une fois le fichier.",
  "What was here before is no longer there.": "Ce qu’il y avait ici avant n’est plus là.",
  "Something went wrong inside the box; its log says what. Nothing was changed.": "Il y a eu un problème dans le boîtier\u202f; son journal technique dit lequel. Rien n’a été changé.",
  "No USB stick is plugged into the box. Plug one in, and try again.": "Aucune clé USB n’est branchée sur le boîtier. Branches-en une et réessaie.",
  "There is too little room on the USB stick.": "Il n’y a pas assez de place sur la clé USB.",
  "The USB stick cannot be written: it may have a switch against that.": "On ne peut pas écrire sur la clé USB\u202f: elle a peut-être un bouton contre cela.",
  "This backup is no longer on the USB stick.": "Cette sauvegarde n’est plus sur la clé USB.",
  "The USB stick cannot be used. Try another one.": "La clé USB ne peut pas être utilisée. Essaies-en une autre.",
  "The certificate could not be made: {reason}.": "Le certificat n’a pas pu être fait\u202f: {reason}.",
};
