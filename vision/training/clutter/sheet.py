"""Draws one small thing, and lays it on the picture of a table: turned, shaded, with its shadow."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.palette import SRGB
from vision.drawn.compose import cast_shadow, cloud, darken, paste

Canvas = npt.NDArray[np.float32]
Colour = tuple[int, int, int]
"""8-bit sRGB, red first."""
Points = Sequence[tuple[float, float]] | npt.NDArray[np.float64]

LINEAR = (np.arange(256, dtype=np.float32) / 255) ** np.float32(2.2)
LETTERS = "ABCEFGHJKLMNPRSTUVWXYZ2345679"
"""Letters for tiles: no round ones, which look like a pip from a distance."""


def clipped(values: npt.ArrayLike) -> Colour:
    r, g, b = (int(v) for v in np.clip(np.asarray(values, np.float64), 4, 250))
    return r, g, b


def vivid(rng: np.random.Generator) -> Colour:
    """The colour of a die, varied."""
    return clipped(np.array(SRGB[str(rng.choice(list(SRGB)))]) * rng.uniform(0.75, 1.1) + rng.normal(0, 8, 3))


def any_colour(rng: np.random.Generator) -> Colour:
    kind = rng.uniform()
    if kind < 0.4:
        return vivid(rng)
    if kind < 0.65:
        return clipped(rng.uniform(15, 245) + rng.normal(0, 8, 3))
    return clipped(rng.uniform(10, 245, 3))


def tone(colour: Colour, gain: float) -> Colour:
    return clipped(np.array(colour) * gain)


def mix(a: Colour, b: Colour, share: float) -> Colour:
    return clipped(np.array(a) * (1 - share) + np.array(b) * share)


def ink(colour: Colour, rng: np.random.Generator) -> Colour:
    """A colour that is visible on this one: mostly black or white."""
    if rng.uniform() < 0.2:
        return any_colour(rng)
    return clipped(rng.uniform(4, 60) + np.zeros(3)) if sum(colour) > 330 else clipped(rng.uniform(200, 250, 3))


def letter(rng: np.random.Generator) -> str:
    return LETTERS[int(rng.integers(len(LETTERS)))]


class ThingSheet:
    """A drawing of one object from above; lengths in pixels of the table picture, the origin at its centre.

    thick: height of its top; dome, gloss, grain: roundness, shine and roughness, 0 to 1; soft: blur of the outline;
    hides: it covers what lies below.
    """

    def __init__(self, width: float, height: float, base: Colour, opacity: float = 1.0) -> None:
        self.fine = 2 if max(width, height) < 150 else 1
        self.wide, self.high = int(width * self.fine) + 6, int(height * self.fine) + 6
        self.base = base
        self.rgb = np.full((self.high, self.wide, 3), base, np.uint8)
        self.alpha = np.zeros((self.high, self.wide), np.uint8)
        self.opacity = opacity
        self.thick, self.dome, self.gloss, self.grain, self.soft = 0.0, 0.0, 0.0, 0.0, 0.0
        self.hides, self.crease = True, False

    def _at(self, points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        middle = np.array([self.wide - 1, self.high - 1]) / 2
        return np.round((np.asarray(points, np.float64) * self.fine + middle) * 16).astype(np.int32)

    def poly(self, points: Points, colour: Colour, body: bool = False) -> None:
        at = self._at(points)
        cv2.fillPoly(self.rgb, [at], colour, cv2.LINE_AA, 4)
        if body:
            cv2.fillPoly(self.alpha, [at], 255, cv2.LINE_AA, 4)

    def disc(self, x: float, y: float, r: float, colour: Colour, body: bool = False) -> None:
        self.ring(x, y, r, 0, colour, body)

    def ring(self, x: float, y: float, r: float, width: float, colour: Colour, body: bool = False) -> None:
        """A circle, filled where `width` is 0."""
        (cx, cy), stroke = self._at((x, y)).tolist(), max(1, round(width * self.fine)) if width else -1
        radius = max(8, round(r * self.fine * 16))
        cv2.circle(self.rgb, (cx, cy), radius, colour, stroke, cv2.LINE_AA, 4)
        if body:
            cv2.circle(self.alpha, (cx, cy), radius, 255, stroke, cv2.LINE_AA, 4)

    def oval(self, x: float, y: float, a: float, b: float, turn: float, colour: Colour, body: bool = False) -> None:
        t = np.linspace(0, 2 * np.pi, 28, endpoint=False)
        u, v = a * np.cos(t), b * np.sin(t)
        self.poly(
            np.stack([x + u * np.cos(turn) - v * np.sin(turn), y + u * np.sin(turn) + v * np.cos(turn)], 1),
            colour,
            body,
        )

    def box(self, x: float, y: float, w: float, h: float, colour: Colour, r: float = 0, body: bool = False) -> None:
        """A rectangle around x, y with corners rounded by r."""
        t = np.linspace(0, np.pi / 2, 6 if r > 0 else 1)
        arc = np.stack([np.cos(t), np.sin(t)], 1) * r
        u, v = w / 2 - r, h / 2 - r
        flip = np.array([-1.0, 1.0])
        inner = np.array([u, v])
        corners = [arc + inner, ((arc + inner) * flip)[::-1], -arc - inner, ((arc + inner) * -flip)[::-1]]
        self.poly(np.add(np.concatenate(corners), (x, y)), colour, body)

    def line(self, points: Points, width: float, colour: Colour, body: bool = False) -> None:
        at, stroke = self._at(points), max(1, round(width * self.fine))
        cv2.polylines(self.rgb, [at], False, colour, stroke, cv2.LINE_AA, 4)
        if body:
            cv2.polylines(self.alpha, [at], False, 255, stroke, cv2.LINE_AA, 4)

    def text(self, text: str, x: float, y: float, high: float, colour: Colour, font: int = 0, bold: float = 1) -> None:
        """Text around x, y, with capitals `high` pixels tall."""
        scale = high * self.fine / 21
        stroke = max(1, round(high * self.fine / 11 * bold))
        (w, h), _ = cv2.getTextSize(text, font, scale, stroke)
        cx, cy = (self._at((x, y)) / 16).tolist()
        cv2.putText(self.rgb, text, (round(cx - w / 2), round(cy + h / 2)), font, scale, colour, stroke, cv2.LINE_AA)

    def stamp(self, other: ThingSheet, x: float, y: float) -> None:
        """Print another drawing about x, y, without its margin; what hangs over the edge is cut off."""
        scale = self.fine / other.fine
        width, height = (max(1, round((n - 6) * scale)) for n in (other.wide, other.high))
        print_ = cv2.resize(other.rgb[3:-3, 3:-3], (width, height), interpolation=cv2.INTER_AREA)
        cx, cy = (self._at((x, y)) / 16).tolist()
        left, top = round(cx - width / 2), round(cy - height / 2)
        x0, y0, x1, y1 = max(0, left), max(0, top), min(self.wide, left + width), min(self.high, top + height)
        self.rgb[y0:y1, x0:x1] = print_[y0 - top : y1 - top, x0 - left : x1 - left]


class TableCanvas:
    """A picture on which objects are laid; `mask` is what they cover."""

    def __init__(self, canvas: Canvas, rng: np.random.Generator, sun: tuple[float, float]) -> None:
        self.canvas, self.rng, self.sun = canvas, rng, sun
        self.mask = np.zeros(canvas.shape[:2], np.float32)
        self.shade = float(rng.uniform(0.15, 0.75))
        lean = rng.uniform(0, 2 * np.pi)
        self.lean = np.array([np.cos(lean), np.sin(lean)]) * max(0.0, rng.uniform(-0.3, 0.7))
        self.squash = float(rng.uniform(0.78, 1)) if rng.uniform() < 0.5 else 1.0
        towards = np.array(sun) if np.hypot(*sun) > 0.02 else np.array([0.7, 0.7])
        self.light = -towards / np.hypot(*towards)

    def put(self, sheet: ThingSheet, x: float, y: float, angle: float) -> None:
        """Lay an object with the middle of its foot at x, y (pixels), rotated by `angle` (radians)."""
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, -s], [s * self.squash, c * self.squash]]) / sheet.fine
        size = np.array([sheet.wide, sheet.high])
        half = np.abs(turn) @ size / 2
        lift = self.lean * sheet.thick
        side_y, side_x = self.canvas.shape[:2]
        low = np.floor(np.array([x, y]) + np.minimum(lift, 0) - half - 2).astype(int)
        high = np.ceil(np.array([x, y]) + np.maximum(lift, 0) + half + 2).astype(int)
        if sheet.hides:
            self._shadow(sheet, turn, np.array([x, y]), half)
        x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(side_x, high[0]), min(side_y, high[1])
        if x1 <= x0 or y1 <= y0:
            return
        shape = (int(x1 - x0), int(y1 - y0))
        shift = np.array([x, y]) + lift - (x0, y0) - turn @ ((size - 1) / 2)
        move = np.column_stack([turn, shift])
        flat = cv2.LUT(cv2.warpAffine(sheet.rgb, move, shape, borderMode=cv2.BORDER_REPLICATE), LINEAR)
        top8 = np.asarray(cv2.warpAffine(sheet.alpha, move, shape), np.uint8)
        if sheet.soft:
            top8 = np.asarray(cv2.GaussianBlur(top8, (0, 0), sheet.soft), np.uint8)
        if np.hypot(*lift) >= 1:
            self._sides(sheet, top8, lift, int(x0), int(y0))
        alpha = top8.astype(np.float32) * np.float32(sheet.opacity / 255)
        extent = float(half.min())
        rgb = self._shaded(sheet, np.asarray(flat, np.float32), alpha, extent, np.array([x, y]) + lift - (x0, y0))
        paste(self.canvas, rgb, alpha, int(x0), int(y0))
        if sheet.hides:
            part = self.mask[y0:y1, x0:x1]
            np.maximum(part, alpha, out=part)

    def _shadow(
        self, sheet: ThingSheet, turn: npt.NDArray[np.float64], at: npt.NDArray[np.float64], half: object
    ) -> None:
        # Drawn small and enlarged: it is soft, and a large one would cost more than the object itself.
        h = np.asarray(half, np.float64)
        q = min(1.0, 64 / (2 * float(h.max())))
        n = np.ceil(2 * h * q).astype(int) + 2
        size = np.array([sheet.wide, sheet.high])
        coarse = cv2.resize(sheet.alpha, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) if q < 0.4 else sheet.alpha
        by = 2.0 if q < 0.4 else 1.0
        move = np.column_stack([turn * q * by, n / 2 - turn @ (size / 2) * q])
        small = cv2.warpAffine(coarse, move, (int(n[0]), int(n[1])))
        outline = np.asarray(small, np.float32) / np.float32(255)
        tall = max(sheet.thick, 1.0)
        reach = (self.sun[0] * tall * q, self.sun[1] * tall * q)
        shadow, margin = cast_shadow(outline, reach, max(0.5, (0.8 + 0.12 * tall) * q))
        if q < 1:
            shadow = np.asarray(cv2.resize(shadow, None, fx=1 / q, fy=1 / q), np.float32)
        corner = at - (n / 2 + margin) / q
        darken(self.canvas, shadow, round(corner[0]), round(corner[1]), self.shade * sheet.opacity)

    def _sides(
        self, sheet: ThingSheet, top: npt.NDArray[np.uint8], lift: npt.NDArray[np.float64], x0: int, y0: int
    ) -> None:
        m = int(np.ceil(np.abs(lift).max()))
        sweep = np.zeros((2 * m + 1, 2 * m + 1), np.uint8)
        cv2.line(sweep, (m, m), (m + round(lift[0]), m + round(lift[1])), 1)
        side = np.asarray(cv2.dilate(top, sweep), np.float32) / np.float32(255)
        h, w = side.shape
        across = np.array([-lift[1], lift[0]]) / np.hypot(*lift)
        along = np.arange(w, dtype=np.float32)[None] * across[0] + np.arange(h, dtype=np.float32)[:, None] * across[1]
        solid = top > 127
        if not solid.any():
            return
        # The corner nearest to the eye is where one side face meets the next.
        depth = np.arange(w)[None] * lift[0] + np.arange(h)[:, None] * lift[1]
        near = along.ravel()[int(np.argmin(np.where(solid, depth, np.inf)))]
        ramp = np.tanh((along - near) / (1.0 if sheet.crease else max(h, w) / 4))
        shade = 0.62 + 0.25 * float(across @ self.light) * ramp
        rgb = LINEAR[list(sheet.base)] * shade[..., None]
        paste(self.canvas, np.asarray(rgb, np.float32), side * np.float32(sheet.opacity), x0, y0)
        part = self.mask[y0 : y0 + h, x0 : x0 + w]
        np.maximum(part, side, out=part)

    def _shaded(
        self, sheet: ThingSheet, rgb: Canvas, alpha: Canvas, extent: float, at: npt.NDArray[np.float64]
    ) -> Canvas:
        h, w = alpha.shape
        if sheet.dome > 0:
            q = min(1.0, 48 / max(h, w))
            less = max(1, round(w * q)), max(1, round(h * q))  # of a long thin thing's width less than a pixel is left
            small = cv2.resize(alpha, less, interpolation=cv2.INTER_AREA) if q < 1 else alpha
            around = cv2.GaussianBlur(small, (0, 0), max(0.7, extent * q * 0.3))
            slope = cv2.Sobel(around, cv2.CV_32F, 1, 0, scale=0.125) * self.light[0]
            slope += cv2.Sobel(around, cv2.CV_32F, 0, 1, scale=0.125) * self.light[1]
            light = 1 - sheet.dome * (slope * (1.6 * extent * q) + 0.5 * (1 - around))
            rgb = rgb * cv2.resize(light.clip(0.25, 1.7), (w, h))[..., None]
        if sheet.grain > 0:
            rough = cloud(h, w, 2.0 if max(h, w) < 90 else 4.0, self.rng)
            rgb = rgb * (1 + np.float32(sheet.grain) * rough)[..., None]
        if sheet.gloss > 0:
            spot = at + self.light * extent * 0.4
            wide = np.float32(2 * (extent * self.rng.uniform(0.09, 0.22)) ** 2)
            gx = np.exp(-((np.arange(w, dtype=np.float32) - np.float32(spot[0])) ** 2) / wide)
            gy = np.exp(-((np.arange(h, dtype=np.float32) - np.float32(spot[1])) ** 2) / wide)
            rgb = rgb + (np.float32(sheet.gloss) * gy[:, None] * gx[None])[..., None]
        return np.asarray(np.clip(rgb, 0, 1), dtype=np.float32)
