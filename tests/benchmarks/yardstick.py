"""A network of YOLOv8n's size, the yardstick for the reader's cost.

The published figures of YOLOv8n are 3,151,904 weights and 8.7 GFLOP at 640 x 640 with its batch norms folded in, a
multiply-add counted as two. This network has the same layers and shapes, less the 16 fixed weights that turn boxes into
pixels and cost nothing. Its weights are random, since time does not depend on them. This module counts 8.74 GFLOP in
the convolutions; OpenCV 4.10's Net.getFLOPS, which adds activations and pooling, said 8.83 of the same network. It is
written as ncnn's files (the wiki's "param and model file structure"), and loaded as the reader's own networks are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

INPUT_NAME: Final = "in0"
OUTPUT_NAME: Final = "out0"
YARDSTICK_SIDE: Final = 640
"""Width and height of the network's input in pixels."""
YOLO_WEIGHTS: Final = 3_151_888
"""Trained weights of the published network."""
YOLO_GFLOP: Final = 8.7
"""The published cost of a forward pass."""

_WIDTHS: Final = (16, 32, 64, 128, 256)
_CLASSES: Final = 80
_BINS: Final = 16
"""One side of a box is a distribution over this many bins."""
_MAGIC: Final = "7767517"
"""The first line of a param file."""
_FLOATS: Final = bytes(4)
"""Says that the weights that follow are 32 bit floats."""


class _Writer:
    """Collects layers and weights; each method returns the name of what it computes."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._layers: list[tuple[str, tuple[str, ...], tuple[str, ...], str]] = [("Input", (), (INPUT_NAME,), "")]
        self._data = bytearray()
        self._sides = {INPUT_NAME: YARDSTICK_SIDE}
        self.weights = 0
        self.macs = 0
        """Multiplications of the convolutions, each with its addition."""

    def layer(self, kind: str, inputs: Sequence[str], params: str, outputs: int = 1) -> str:
        """Add a layer; several outputs have the returned name with .0, .1, ... appended."""
        name = f"{kind.lower()}{len(self._layers)}"
        names = (name,) if outputs == 1 else tuple(f"{name}.{k}" for k in range(outputs))
        self._layers.append((kind, tuple(inputs), names, params))
        self._sides |= dict.fromkeys(names, self._sides[inputs[0]])  # layers that change it set it themselves
        return name

    def conv(self, x: str, cin: int, cout: int, kernel: int = 1, stride: int = 1, plain: bool = False) -> str:
        """A convolution, followed by SiLU unless it is `plain`."""
        spread = np.sqrt((1 if plain else 2.8) / (cin * kernel**2))  # keeps activations in range
        weights = (self._rng.standard_normal((cout, cin, kernel, kernel)) * spread).astype(np.float32)
        bias = np.zeros(cout, np.float32)
        self.weights += weights.size + bias.size
        self._data += _FLOATS + weights.tobytes() + bias.tobytes()
        y = self.layer("Convolution", [x], f"0={cout} 1={kernel} 3={stride} 4={kernel // 2} 5=1 6={weights.size}")
        self._sides[y] //= stride
        self.macs += weights.size * self._sides[y] ** 2
        return y if plain else self.layer("Swish", [y], "")

    def concat(self, *parts: str, axis: int = 0) -> str:
        return self.layer("Concat", parts, f"0={axis}")

    def twice(self, x: str) -> str:
        """Upsample to twice the width and height."""
        y = self.layer("Interp", [x], "0=1 1=2.0 2=2.0")
        self._sides[y] *= 2
        return y

    def c2f(self, x: str, cin: int, cout: int, repeats: int, shortcut: bool) -> str:
        """A C2f block: half the channels through `repeats` bottlenecks, every stage concatenated."""
        c = cout // 2
        split = self.layer("Slice", [self.conv(x, cin, 2 * c)], "-23300=2,-233,-233 1=0", outputs=2)
        parts = [f"{split}.0", f"{split}.1"]
        for _ in range(repeats):
            y = self.conv(self.conv(parts[-1], c, c, 3), c, c, 3)
            parts.append(self.layer("BinaryOp", [parts[-1], y], "0=0") if shortcut else y)
        return self.conv(self.concat(*parts), (2 + repeats) * c, cout)

    def sppf(self, x: str, c: int) -> str:
        """Spatial pyramid pooling."""
        parts = [self.conv(x, c, c // 2)]
        for _ in range(3):
            parts.append(self.layer("Pooling", [parts[-1]], "0=0 1=5 2=1 3=2 5=1"))
        return self.conv(self.concat(*parts), 2 * c, c)

    def save(self, file: Path, out: str) -> None:
        """Write FILE.param and FILE.bin, with `out` as the output."""
        readers = Counter(name for _, inputs, _, _ in self._layers for name in inputs)
        copies: Counter[str] = Counter()
        lines = []
        for n, (kind, inputs, outputs, params) in enumerate(self._layers):
            names = []
            for name in inputs:  # ncnn wants a layer that copies what several read
                names.append(f"{name}_{copies[name]}" if readers[name] > 1 else name)
                copies[name] += 1
            shown = [OUTPUT_NAME if name == out else name for name in outputs]
            lines.append(f"{kind} layer{n} {len(names)} {len(shown)} {' '.join([*names, *shown])} {params}")
            for name in outputs:
                if readers[name] > 1:
                    copied = [f"{name}_{k}" for k in range(readers[name])]
                    lines.append(f"Split copy_{name} 1 {len(copied)} {' '.join([name, *copied])}")
        blobs = sum(int(line.split()[3]) for line in lines)
        text = "\n".join([_MAGIC, f"{len(lines)} {blobs}", *lines]) + "\n"
        file.with_suffix(".param").write_text(text, encoding="ascii")
        file.with_suffix(".bin").write_bytes(bytes(self._data))


@dataclass(frozen=True, slots=True)
class Yardstick:
    """The network and its size by count."""

    weights: int
    gflop: float
    """Of a forward pass: two for each multiply-add of the convolutions."""


def write_yardstick(file: Path, seed: int = 0) -> Yardstick:
    """Write the network to FILE.param and FILE.bin; the same seed gives the same weights.

    It takes one frame, `YARDSTICK_SIDE` squared.
    """
    net = _Writer(seed)
    a, b, c, d, e = _WIDTHS
    x = net.conv(net.conv(INPUT_NAME, 3, a, 3, 2), a, b, 3, 2)
    x = net.c2f(x, b, b, 1, shortcut=True)
    p3 = net.c2f(net.conv(x, b, c, 3, 2), c, c, 2, shortcut=True)
    p4 = net.c2f(net.conv(p3, c, d, 3, 2), d, d, 2, shortcut=True)
    x = net.c2f(net.conv(p4, d, e, 3, 2), e, e, 1, shortcut=True)
    p5 = net.sppf(x, e)
    up4 = net.c2f(net.concat(net.twice(p5), p4), e + d, d, 1, shortcut=False)
    near = net.c2f(net.concat(net.twice(up4), p3), d + c, c, 1, shortcut=False)
    middle = net.c2f(net.concat(net.conv(near, c, c, 3, 2), up4), c + d, d, 1, shortcut=False)
    far = net.c2f(net.concat(net.conv(middle, d, d, 3, 2), p5), d + e, e, 1, shortcut=False)
    heads = []
    for x, cin in ((near, c), (middle, d), (far, e)):
        boxes = net.conv(net.conv(net.conv(x, cin, 64, 3), 64, 64, 3), 64, 4 * _BINS, plain=True)
        classes = net.conv(net.conv(net.conv(x, cin, 80, 3), 80, 80, 3), 80, _CLASSES, plain=True)
        heads.append(net.layer("Reshape", [net.concat(boxes, classes)], f"0=-1 1={4 * _BINS + _CLASSES}"))
    net.save(file, net.concat(*heads, axis=1))
    return Yardstick(net.weights, 2 * net.macs / 1e9)
