"""The networks' architectures, their export as ONNX files, and their conversion for ncnn.

They use only layers that every engine runs: convolution, its transpose, ReLU, pooling. `Detector` predicts a heat map
as in CenterNet (Zhou et al. 2019, "Objects as points") at a quarter of the frame's size; `Classifier` takes one die at
a time, and so does `Verifier`, with its surroundings. `vision.models.networks` lists the channels of all.

Weights are stored as 16-bit floats, half the size. The program runs the converted files; the ONNX files are for others.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.models.networks import CROP_SIDE, VERIFIER_CROP, WIDE_CROP
from vision.training.pictures import crop_side_of

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


LOG_ODDS_TOLERANCE = 1e-2
"""Largest difference allowed between cv2.dnn and torch, in log odds."""

SHORT_SUFFIX = "_16"
"""Suffix of the names of weights stored as 16-bit floats."""


def export(net: nn.Module, weights: Path, out: Path, shape: tuple[int, int, int, int]) -> float:
    """Export one network, and return the largest difference between torch's and cv2.dnn's answers."""
    net.load_state_dict(torch.load(weights, map_location="cpu"))
    net.eval()
    x = torch.rand(shape)
    # The older exporter: files of the newer one crash cv2 4.14 with SIGFPE.
    torch.onnx.export(net, (x,), str(out), dynamo=False, opset_version=13, input_names=["frame"], output_names=["out"],
                      dynamic_axes={"frame": {0: "n", 2: "h", 3: "w"}, "out": {0: "n", 2: "h", 3: "w"}}
                      if isinstance(net, Detector) else {"frame": {0: "n"}, "out": {0: "n"}})  # fmt: skip
    return worst_difference(net, out, shape)


def worst_difference(net: nn.Module, out: Path, shape: tuple[int, int, int, int]) -> float:
    """The largest difference between torch and cv2.dnn, on noise of two batch sizes."""
    sizes = (shape, (shape[0] + 1, 3, shape[2], shape[3]))
    return max(difference_to_dnn(net, out, torch.rand(size)) for size in sizes)


def difference_to_dnn(net: nn.Module, model: Path, x: Tensor) -> float:
    """The largest difference between `eval` answers and cv2.dnn's."""
    run = cv2.dnn.readNetFromONNX(str(model))
    run.setInput(x.contiguous().numpy())
    net.eval()
    with torch.no_grad():
        return float(np.abs(np.asarray(run.forward()) - net(x).numpy()).max())


def store_as_16_bit(path: Path) -> None:
    """Convert the weights of an ONNX file to 16-bit floats, in place; the file itself casts them back."""
    model = onnx.load(str(path))
    casts = []
    for tensor in model.graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT:
            short = numpy_helper.from_array(
                numpy_helper.to_array(tensor).astype(np.float16), tensor.name + SHORT_SUFFIX
            )
            casts.append(onnx.helper.make_node("Cast", [short.name], [tensor.name], to=onnx.TensorProto.FLOAT))
            tensor.CopyFrom(short)
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, str(path))


def convert_to_ncnn(model: Path, shapes: Sequence[tuple[int, ...]]) -> None:
    """Write FILE.param and FILE.bin beside FILE.onnx, with ncnn's converter; give two `shapes` if the size may vary."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copy(model, folder))
        sizes = [
            f"inputshape{'' if n == 0 else n + 1}=[{','.join(map(str, shape))}]f32" for n, shape in enumerate(shapes)
        ]
        subprocess.run(["pnnx", copy.name, *sizes, "fp16=1"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for suffix in (".param", ".bin"):
            shutil.copy(copy.with_suffix(f".ncnn{suffix}"), model.with_suffix(suffix))


def export_networks(work: Path, out: Path, *names: str, second: bool = False) -> None:
    """Write the networks trained in `work` to the folder `out`. second: the classifier is the wide one.

    Raises `SystemExit` if cv2.dnn gives different answers.
    """
    side = crop_side_of(second=second)
    networks: dict[str, tuple[nn.Module, tuple[int, int, int, int]]] = {
        "detector": (Detector(), (1, 3, 384, 512)),
        "classifier": (Classifier(wide=second), (4, 3, side, side)),
        "verifier": (Verifier(), (4, 3, VERIFIER_CROP, VERIFIER_CROP)),
    }
    for name in names:
        net, shape = networks[name]
        model = out / f"{name}.onnx"
        worst = export(net, work / f"{name}.pt", model, shape)
        store_as_16_bit(model)
        convert_to_ncnn(model, [(1, *shape[1:]), (1, 3, 544, 960)] if name == "detector" else [(1, *shape[1:])])
        if worst > LOG_ODDS_TOLERANCE:
            raise SystemExit(f"{model}: cv2.dnn differs from torch by {worst:.2e}, which is no rounding error")
        print(f"{name}: cv2.dnn differs from torch by at most {worst:.2e}, with weights of 16 bits "
              f"{worst_difference(net, model, shape):.2e}")  # fmt: skip
