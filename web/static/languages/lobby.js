// The words of a club's lobby, in the page's language. Only its pages load them.

import { words as english } from "./en/lobby.js";
import { language } from "./language.js";

const MODULES = {
  fr: () => import("./fr/lobby.js"),
  nl: () => import("./nl/lobby.js"),
  it: () => import("./it/lobby.js"),
  es: () => import("./es/lobby.js"),
};

/** The words; a live binding, so read it when drawing. */
export let lobbyWord = english;

/** Those of the tournaments. */
export let tournamentWord = english.tournaments;

/** Settles once the words are those of the page's language. Rejects if they cannot be loaded. */
export async function loadLobbyWords() {
  const id = language;
  lobbyWord = id === "en" ? english : (await MODULES[id]()).words;
  tournamentWord = lobbyWord.tournaments;
}
