"""The icons of the installed page, and the picture of links to it, drawn by Chromium from `web/static/icons/icon.svg`.

    python -m tests.browser.icons web/static/icons

Rounded for systems that show an icon unchanged; full-bleed and smaller for those that mask it.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path

import cv2
import numpy as np

from tests.browser import chromium

ICONS = {
    "icon-192.png": (192, "icon"),
    "icon-512.png": (512, "icon"),
    "icon-maskable-512.png": (512, "mask"),
    "icon-180.png": (180, "full"),
}
"""Name -> (side in pixels, style)."""
SAFE = 0.72
"""Scale of the drawing in a masked icon: only a circle of four fifths is certain to be visible."""


def drawing(svg: str, how: str, size: int) -> str:
    """A page that shows nothing but the icon."""
    if how != "icon":
        svg = svg.replace('rx="112"', "")  # iOS rounds it itself
    if how == "mask":
        away = 256 * (1 - SAFE)
        svg = svg.replace('class="drawing"', f'transform="translate({away} {away}) scale({SAFE})"')
    svg = svg.replace("<svg ", f'<svg width="{size}" height="{size}" style="display:block" ', 1)
    return f"<!doctype html><body style='margin:0;background:transparent'>{svg}"


def link_picture(svg: str) -> str:
    """A page that shows the picture of a link: the icon and the name, 1200 x 630."""
    icon = svg.replace("<svg ", '<svg width="430" height="430" ', 1)
    return (
        "<!doctype html><body style='margin:0;width:1200px;height:630px;display:flex;align-items:center;gap:70px;"
        "justify-content:center;background:#0c2219;"
        f"font:850 170px system-ui,sans-serif;color:#edbb53'>{icon}<span>Perudo</span>"
    )


def main(folder: Path) -> None:
    """Draw all icons into `folder`."""
    svg = (folder / "icon.svg").read_text()
    with chromium.start() as driver:
        driver.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", {"color": dict.fromkeys("rgba", 0)})
        for name, (size, how) in ICONS.items():
            metrics = {"width": size, "height": size, "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            page = base64.b64encode(drawing(svg, how, size).encode()).decode()
            driver.get(f"data:text/html;base64,{page}")
            shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
            (folder / name).write_bytes(base64.b64decode(shot["data"]))
        metrics = {"width": 1200, "height": 630, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        page = base64.b64encode(link_picture(svg).encode()).decode()
        driver.get(f"data:text/html;base64,{page}")
        shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        picture = cv2.imdecode(np.frombuffer(base64.b64decode(shot["data"]), np.uint8), cv2.IMREAD_COLOR)
        cv2.imwrite(str(folder / "share.png"), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
