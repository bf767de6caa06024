"""The three networks. Only layers that every engine runs: convolution, its transpose, ReLU, pooling.

`Detector` predicts a heat map like CenterNet (Zhou et al. 2019, "Objects as points") at a quarter of the frame's size;
`Classifier` takes one die at a time, and so does `Verifier`, with what lies round it. `vision.models.networks` lists
the channels of all.
"""

from __future__ import annotations

from torch import Tensor, nn

from vision.models.networks import CROP_SIDE, WIDE_CROP

DETECTOR_CHANNELS = 1 + 2 + 2 + 6 + 8
"""Heat, offset x y, log size w h, six faces, eight colours."""
CLASSIFIER_OUTPUTS = 6 + 8 + 1
"""Six faces, eight colours, "one whole die in the middle"."""


def conv(inputs: int, outputs: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Block(nn.Module):
    """A residual block of two convolutions."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.relu(x + self.second(self.first(x)))
        return out


class Detector(nn.Module):
    """Frame (n, 3, h, w), BGR 0..1, h and w multiples of 16, to (n, `DETECTOR_CHANNELS`, h / 4, w / 4)."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 24, 48, 96)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.stem = conv(3, a, 2)
        self.s4 = nn.Sequential(conv(a, b, 2), Block(b))
        self.s8 = nn.Sequential(conv(b, c, 2), Block(c), Block(c))
        self.s16 = nn.Sequential(conv(c, d, 2), Block(d), Block(d), Block(d))
        self.up8 = nn.ConvTranspose2d(d, c, 2, 2)
        self.mix8 = conv(c, c)
        self.up4 = nn.ConvTranspose2d(c, b, 2, 2)
        self.mix4 = conv(b, 32)
        self.head = nn.Sequential(conv(32, 48), nn.Conv2d(48, DETECTOR_CHANNELS, 1))
        last = self.head[-1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        nn.init.constant_(last.bias[:1], -4.0)  # dice are rare, so start with a low heat

    def forward(self, x: Tensor) -> Tensor:
        s4 = self.s4(self.stem(x))
        s8 = self.s8(s4)
        s16 = self.s16(s8)
        s8 = self.mix8(s8 + self.up8(s16))
        out: Tensor = self.head(self.mix4(s4 + self.up4(s8)))
        return out


class Classifier(nn.Module):
    """Crops (n, 3, `CROP_SIDE`, `CROP_SIDE`), BGR 0..1, to (n, `CLASSIFIER_OUTPUTS`) logits.

    A wide one has the same weights and takes crops of `WIDE_CROP`; its head sees the same middle of the feature map,
    whose receptive field then covers the surroundings.
    """

    def __init__(self, *, wide: bool = False) -> None:
        super().__init__()
        self._rim = (WIDE_CROP - CROP_SIDE) // 2 // 16 if wide else 0
        self.body = nn.Sequential(
            conv(3, 24, 2), conv(24, 48, 2), Block(48), conv(48, 96, 2), Block(96), Block(96), conv(96, 128, 2)
        )  # 4 x 4 x 128
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(128 * 16, 96), nn.ReLU(), nn.Linear(96, CLASSIFIER_OUTPUTS)
        )

    def forward(self, x: Tensor) -> Tensor:
        features = self.body(x)
        if self._rim:
            features = features[:, :, self._rim : self._rim + 4, self._rim : self._rim + 4]
        out: Tensor = self.head(features)
        return out


class Verifier(nn.Module):
    """Crops (n, 3, `VERIFIER_CROP`, `VERIFIER_CROP`), BGR 0..1, to (n, 1): log odds of "a whole die in the middle"."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 32, 48, 64)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.body = nn.Sequential(
            conv(3, a, 2), conv(a, b, 2), Block(b), conv(b, c, 2), Block(c), conv(c, d, 2), Block(d)
        )  # 5 x 5 x d
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(d * 25, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.body(x))
        return out
