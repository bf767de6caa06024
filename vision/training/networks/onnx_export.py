"""Export the trained networks as ONNX files, check that cv2.dnn gives the same answers, and convert them for ncnn.

python -m vision.training.networks.onnx_export --work DIR --out vision/models

Weights are stored as 16 bit floats, half the size. The program runs the converted files; the ONNX files are for others.
"""

from __future__ import annotations

import argparse
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

from vision.models.networks import VERIFIER_CROP
from vision.training.data.die_crops import crop_side_of
from vision.training.networks.architectures import Classifier, Detector, Verifier

LOG_ODDS_TOLERANCE = 1e-2
"""Largest difference allowed between cv2.dnn and torch, in log odds."""

SHORT_SUFFIX = "_16"
"""Of the name of weights that are stored as 16 bit floats."""


def export(net: nn.Module, weights: Path, out: Path, shape: tuple[int, int, int, int]) -> float:
    """Export one network, and return the largest difference between torch's and cv2.dnn's answers."""
    net.load_state_dict(torch.load(weights, map_location="cpu"))
    net.eval()
    x = torch.rand(shape)
    # the older exporter: files of the newer one stop cv2 4.14 with SIGFPE
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
    """Convert the weights of an ONNX file to 16 bit floats, in place; the file itself casts them back."""
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
    """Write FILE.param and FILE.bin beside FILE.onnx, by ncnn's converter; `shapes` are two where the size may vary."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copy(model, folder))
        sizes = [
            f"inputshape{'' if n == 0 else n + 1}=[{','.join(map(str, shape))}]f32" for n, shape in enumerate(shapes)
        ]
        subprocess.run(["pnnx", copy.name, *sizes, "fp16=1"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for suffix in (".param", ".bin"):
            shutil.copy(copy.with_suffix(f".ncnn{suffix}"), model.with_suffix(suffix))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", choices=("detector", "classifier", "verifier"))
    parser.add_argument("--second", action="store_true", help="the second pair, whose classifier is the wide one")
    args = parser.parse_args()
    side = crop_side_of(second=args.second)
    for net, name, shape in (
        (Detector(), "detector", (1, 3, 384, 512)),
        (Classifier(wide=args.second), "classifier", (4, 3, side, side)),
        (Verifier(), "verifier", (4, 3, VERIFIER_CROP, VERIFIER_CROP)),
    ):
        if name != args.only and (args.only or name == "verifier"):  # the verifier is trained after the others
            continue
        model = args.out / f"{name}.onnx"
        worst = export(net, args.work / f"{name}.pt", model, shape)
        store_as_16_bit(model)
        convert_to_ncnn(model, [(1, *shape[1:]), (1, 3, 544, 960)] if name == "detector" else [(1, *shape[1:])])
        if worst > LOG_ODDS_TOLERANCE:
            raise SystemExit(f"{model}: cv2.dnn differs from torch by {worst:.2e}, which is no rounding error")
        print(f"{name}: cv2.dnn differs from torch by at most {worst:.2e}, with weights of 16 bits "
              f"{worst_difference(net, model, shape):.2e}")  # fmt: skip


if __name__ == "__main__":
    main()
