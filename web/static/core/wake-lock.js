// A screen that is looked at and never touched must not go dark.

/** Keep the screen on for as long as this page is seen. Where the browser cannot, nothing is said: nobody could help it. */
export function stayAwake() {
  if ("wakeLock" in navigator) holdLock(navigator.wakeLock);
  else playNothing();
}

// The browser lets go of the lock whenever the page is out of sight.
function holdLock(wakeLock) {
  let held = null;
  let asked = false;
  const hold = async () => {
    if (document.visibilityState !== "visible" || asked || (held && !held.released)) return;
    asked = true;
    try {
      held = await wakeLock.request("screen");
      held.addEventListener("release", hold);
    } catch {
      held = null; // a low battery, say; asked again when the page is seen again
    } finally {
      asked = false;
    }
  };
  document.addEventListener("visibilitychange", hold);
  hold();
}

// Only pages with a certificate get a lock, and a box on the table's own network has none. A film that plays keeps a screen
// on in most browsers: this one is of a single dark colour behind the board, and never ends.
function playNothing() {
  const canvas = document.createElement("canvas");
  if (!canvas.captureStream) return;
  canvas.width = canvas.height = 16;
  const brush = canvas.getContext("2d");
  const film = document.createElement("video");
  film.muted = true;
  film.setAttribute("playsinline", "");
  film.setAttribute("aria-hidden", "true");
  film.tabIndex = -1;
  film.className = "film";
  let odd = false;
  const paint = () => {
    odd = !odd;
    brush.fillStyle = odd ? "#06130e" : "#06130f";
    brush.fillRect(0, 0, 16, 16);
  };
  const play = () => {
    if (document.visibilityState === "visible") film.play().catch(() => {}); // a browser that wants a tap first gets none
  };
  paint();
  setInterval(paint, 1000); // a film without new pictures counts as ended
  film.srcObject = canvas.captureStream();
  document.body.prepend(film);
  document.addEventListener("visibilitychange", play);
  play();
}
