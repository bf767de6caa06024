"""A network of YOLOv8n's size, the yardstick for the reader's cost.

The published figures of YOLOv8n are 3,151,904 weights and 8.7 GFLOP at 640 x 640 with its batch norms folded in, a
multiply-add counted as two. This network has the same layers and shapes, less the 16 fixed weights that turn boxes into
pixels and cost nothing. Its weights are random, since time does not depend on them. This module counts 8.74 GFLOP in
the convolutions; OpenCV 4.10's Net.getFLOPS, which adds activations and pooling, says 8.83. It is written as ONNX
(https://onnx.ai/onnx/repo-docs/IR.html), of which only a few fields are needed, so that cv2.dnn loads it as it loads
the reader's own networks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

INPUT_NAME: Final = "frame"
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
_FLOAT: Final = 1
"""ONNX's type number of 32 bit floats."""


def _varint(n: int) -> bytes:
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes([*out, n])


def _int(field: int, n: int) -> bytes:
    return _varint(field << 3) + _varint(n)


def _bytes(field: int, data: bytes | str) -> bytes:
    data = data.encode() if isinstance(data, str) else data
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _attribute(name: str, value: int | str | Sequence[int]) -> bytes:
    if isinstance(value, int):
        return _bytes(1, name) + _int(3, value) + _int(20, 2)
    if isinstance(value, str):
        return _bytes(1, name) + _bytes(4, value) + _int(20, 3)
    return _bytes(1, name) + b"".join(_int(8, n) for n in value) + _int(20, 7)


def _value(name: str, shape: Sequence[int]) -> bytes:
    dims = b"".join(_bytes(1, _int(1, n)) for n in shape)
    return _bytes(1, name) + _bytes(2, _bytes(1, _int(1, _FLOAT) + _bytes(2, dims)))


class _Writer:
    """Collects nodes and weights; each method returns the name of what it computes."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._graph = bytearray()
        self._names = 0
        self._sides = {INPUT_NAME: YARDSTICK_SIDE}
        self.weights = 0
        self.macs = 0
        """Multiplications of the convolutions, each with its addition."""

    def node(self, kind: str, inputs: Sequence[str], outputs: int = 1, **attributes: int | str | Sequence[int]) -> str:
        """Add an operation; several outputs have the returned name with .0, .1, ... appended."""
        self._names += 1
        name = f"{kind.lower()}{self._names}"
        names = [name] if outputs == 1 else [f"{name}.{k}" for k in range(outputs)]
        body = b"".join(_bytes(1, i) for i in inputs) + b"".join(_bytes(2, o) for o in names)
        body += _bytes(3, name) + _bytes(4, kind)
        body += b"".join(_bytes(5, _attribute(key, value)) for key, value in attributes.items())
        self._graph += _bytes(1, body)
        self._sides |= dict.fromkeys(names, self._sides[inputs[0]])  # operations that change it set it themselves
        return name

    def tensor(self, data: npt.NDArray[np.float32]) -> str:
        self._names += 1
        name = f"w{self._names}"
        body = b"".join(_int(1, n) for n in data.shape) + _int(2, _FLOAT) + _bytes(8, name)
        self._graph += _bytes(5, body + _bytes(9, data.tobytes()))
        return name

    def conv(self, x: str, cin: int, cout: int, kernel: int = 1, stride: int = 1, plain: bool = False) -> str:
        """A convolution, followed by SiLU unless it is `plain`."""
        spread = np.sqrt((1 if plain else 2.8) / (cin * kernel**2))  # keeps activations in range
        weights = (self._rng.standard_normal((cout, cin, kernel, kernel)) * spread).astype(np.float32)
        bias = np.zeros(cout, np.float32)
        self.weights += weights.size + bias.size
        y = self.node(
            "Conv", [x, self.tensor(weights), self.tensor(bias)],
            kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[kernel // 2] * 4, dilations=[1, 1], group=1,
        )  # fmt: skip
        self._sides[y] //= stride
        self.macs += weights.size * self._sides[y] ** 2
        return y if plain else self.node("Mul", [y, self.node("Sigmoid", [y])])

    def concat(self, *parts: str) -> str:
        return self.node("Concat", parts, axis=1)

    def twice(self, x: str) -> str:
        """Upsample to twice the width and height."""
        scales = self.tensor(np.array([1, 1, 2, 2], np.float32))
        y = self.node(
            "Resize",
            [x, "", scales],
            mode="nearest",
            coordinate_transformation_mode="asymmetric",
            nearest_mode="floor",
        )
        self._sides[y] *= 2
        return y

    def c2f(self, x: str, cin: int, cout: int, repeats: int, shortcut: bool) -> str:
        """A C2f block: half the channels through `repeats` bottlenecks, every stage concatenated."""
        c = cout // 2
        split = self.node("Split", [self.conv(x, cin, 2 * c)], outputs=2, axis=1)
        parts = [f"{split}.0", f"{split}.1"]
        for _ in range(repeats):
            y = self.conv(self.conv(parts[-1], c, c, 3), c, c, 3)
            parts.append(self.node("Add", [parts[-1], y]) if shortcut else y)
        return self.conv(self.concat(*parts), (2 + repeats) * c, cout)

    def sppf(self, x: str, c: int) -> str:
        """Spatial pyramid pooling."""
        parts = [self.conv(x, c, c // 2)]
        for _ in range(3):
            parts.append(self.node("MaxPool", [parts[-1]], kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4))
        return self.conv(self.concat(*parts), 2 * c, c)

    def model(self, out: str, shape: Sequence[int]) -> bytes:
        """The whole ONNX file, with output `out` of this shape."""
        graph = bytes(self._graph) + _bytes(2, "yardstick")
        graph += _bytes(11, _value(INPUT_NAME, (1, 3, YARDSTICK_SIDE, YARDSTICK_SIDE))) + _bytes(12, _value(out, shape))
        return _int(1, 7) + _bytes(7, graph) + _bytes(8, _int(2, 13))


@dataclass(frozen=True, slots=True)
class Yardstick:
    """The network and its size by count."""

    onnx: bytes
    """The file; it takes one BGR frame, `YARDSTICK_SIDE` squared, 0 to 1."""
    weights: int
    gflop: float
    """Of a forward pass: two for each multiply-add of the convolutions."""


def yardstick(seed: int = 0) -> Yardstick:
    """The same seed gives the same weights."""
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
    heads, places = [], 0
    for x, cin, stride in ((near, c, 8), (middle, d, 16), (far, e, 32)):
        boxes = net.conv(net.conv(net.conv(x, cin, 64, 3), 64, 64, 3), 64, 4 * _BINS, plain=True)
        classes = net.conv(net.conv(net.conv(x, cin, 80, 3), 80, 80, 3), 80, _CLASSES, plain=True)
        heads.append(net.node("Flatten", [net.concat(boxes, classes)], axis=2))
        places += (YARDSTICK_SIDE // stride) ** 2
    data = net.model(net.concat(*heads), (4 * _BINS + _CLASSES, places))
    return Yardstick(data, net.weights, 2 * net.macs / 1e9)
