// Keeps a screen on that is watched but not touched.

/** Keep the screen on while this page is visible. If the browser cannot, nothing is reported. */
export function stayAwake() {
  if ("wakeLock" in navigator) holdLock(navigator.wakeLock);
  else playNothing();
}

// The browser releases the lock whenever the page is hidden.
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
      held = null; // a low battery, for example; asked again when the page is visible again
    } finally {
      asked = false;
    }
  };
  document.addEventListener("visibilitychange", hold);
  hold();
}

// Only pages over https get a lock, and few devices trust the box's own certificate. In most browsers a playing video keeps the
// screen on: this one shows a single dark colour behind the board, and never ends.
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
  film.className = "wakes";
  let odd = false;
  const paint = () => {
    odd = !odd;
    brush.fillStyle = odd ? "#06130e" : "#06130f";
    brush.fillRect(0, 0, 16, 16);
  };
  const play = () => {
    if (document.visibilityState === "visible") film.play().catch(() => {}); // some browsers require a tap first
  };
  paint();
  setInterval(paint, 1000); // a video without new frames counts as ended
  film.srcObject = canvas.captureStream();
  document.body.prepend(film);
  document.addEventListener("visibilitychange", play);
  play();
}
