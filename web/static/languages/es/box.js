// Spanish: the words of the page of the box.

export const words = {
  title: "El aparato",
  toTable: "Volver a la mesa",
  version: "Versión",
  name: "Nombre",
  notHost: "Solo el teléfono del anfitrión se ocupa del aparato. Este puede mirar.",
  joinFirst: "Del aparato se ocupa el anfitrión: únete primero con el código de la mesa.",
  join: "Unirse",
  log: "Registro técnico",
  logHint: "Lo que el aparato ha anotado, en inglés: para quien busca un fallo.",
  showLog: "Ver el registro",
  logEmpty: "Todavía no se ha anotado nada.",
  saveLog: "Guardar como archivo de texto",
};

/** The messages that only this page shows. */
export const messages = {
  "Only the host's phone looks after the box.": "Del aparato se ocupa solo el teléfono del anfitrión.",
  "A game is going on: end it first, or wait for its end.": "Hay una partida en juego: termínala antes, o espera a que acabe.",
};
