// Spanish: the words of the page of the box.

import { words as https } from "./https.js";

export const words = {
  https,
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
  "This file is not a backup of a Perudo box.": "Este archivo no es una copia de un aparato de Perudo.",
  "This backup is damaged, and nothing was changed. Take another one.": "Esta copia está dañada, y no se ha cambiado nada. Usa otra.",
  "This backup was made by a newer program. Update this box first.": "Esta copia es de un programa más nuevo. Actualiza antes este aparato.",
  "There are too many pictures on this box for one file.": "Hay demasiadas fotos en este aparato para un solo archivo.",
  "There is too little room on the box's memory card: {megabytes} MB more are needed.": "Hay poco espacio en la tarjeta de memoria del aparato: hacen falta {megabytes} MB más.",
  "The backup could not be written ({reason}).": "No se ha podido escribir la copia ({reason}).",
  "The backup could not be unpacked ({reason}).": "No se ha podido abrir la copia ({reason}).",
  "The box is busy with a backup. Wait until it is done.": "El aparato está ocupado con una copia. Espera a que acabe.",
  "The file did not arrive whole. Choose it again.": "El archivo no ha llegado entero. Elígelo otra vez.",
  "This file is too large for a backup of this box.": "Este archivo es demasiado grande para una copia de este aparato.",
  "There is no backup to put back now. Choose the file again.": "Ahora no hay ninguna copia que restaurar. Elige otra vez el archivo.",
  "What was here before is no longer there.": "Lo que había antes aquí ya no está.",
  "Something went wrong inside the box; its log says what. Nothing was changed.": "Algo ha fallado en el aparato; su registro dice qué. No se ha cambiado nada.",
  "No USB stick is plugged into the box. Plug one in, and try again.": "No hay ninguna memoria USB en el aparato. Conecta una e inténtalo otra vez.",
  "There is too little room on the USB stick.": "Hay poco espacio en la memoria USB.",
  "The USB stick cannot be written: it may have a switch against that.": "No se puede escribir en la memoria USB: quizá tiene un interruptor que lo impide.",
  "This backup is no longer on the USB stick.": "Esta copia ya no está en la memoria USB.",
  "The USB stick cannot be used. Try another one.": "La memoria USB no se puede usar. Prueba con otra.",
  "The certificate could not be made: {reason}.": "No se ha podido hacer el certificado: {reason}.",
};
