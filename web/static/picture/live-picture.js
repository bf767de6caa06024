// The camera's picture, live.

import { h } from "../core/dom.js";
import { say } from "../languages/language.js";

const EVERY = 200; // ms between two pictures
const AFTER_FAILURE = 1500;

/** The camera's picture, fetched again and again while it is shown. */
export const livePicture = () =>
  h("img", { class: "live", key: "live", alt: say.live, width: 960, height: 720, mount: startLive, unmount: stopLive });

// Each picture is requested when the last one has arrived: a slow network gets fewer pictures, never a queue.
function startLive(image) {
  const live = { n: 0, timer: 0, on: true };
  image._live = live;
  const ask = () => {
    if (!live.on) return;
    live.n += 1;
    image.src = `/api/v1/frame.jpg?n=${live.n}`;
  };
  const later = (ms) => {
    clearTimeout(live.timer);
    live.timer = setTimeout(ask, ms);
  };
  image.addEventListener("load", () => {
    image.classList.add("seen");
    later(EVERY);
  });
  image.addEventListener("error", () => {
    image.classList.remove("seen");
    later(AFTER_FAILURE);
  });
  ask();
}

function stopLive(image) {
  image._live.on = false;
  clearTimeout(image._live.timer);
}
