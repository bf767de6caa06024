"""Restores checkpoints from the exported networks, to continue training from the shipped weights.

The export folds every batch normalisation into its convolution, which loses its statistics. Here they are computed
again on training pictures: `eval` then answers as exported, and `train` starts close to it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from vision.training.detector import TRAIN_SIDE, batch_of
from vision.training.networks import LOG_ODDS_TOLERANCE, SHORT_SUFFIX, Classifier, Detector, difference_to_dnn
from vision.training.pictures import Picture, crop_side_of, die_cutouts, read_photographs, sample_die

BATCHES = 24
"""Batches of pictures from which statistics are computed."""
LAYER_TYPES: dict[str, type[nn.Module]] = {"Conv": nn.Conv2d, "ConvTranspose": nn.ConvTranspose2d, "Gemm": nn.Linear}


def normalised_convolutions(net: nn.Module) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Every convolution followed by a batch normalisation, in order of execution."""
    pairs = []
    for module in net.modules():
        if isinstance(module, nn.Sequential):
            children = list(module)
            pairs += [
                (first, second)
                for first, second in pairwise(children)
                if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d)
            ]
    return pairs


def load_folded_weights(net: nn.Module, model: Path) -> None:
    """Load an exported file's weights into `net`; the normalisations only add the folded bias.

    Layers are matched by order, since the exporter renames what it folds: `net` must define them in the order it runs
    them, as both networks do.
    """
    graph = onnx.load(str(model)).graph
    tensors = {
        tensor.name.removesuffix(SHORT_SUFFIX): torch.from_numpy(numpy_helper.to_array(tensor).astype(np.float32))
        for tensor in graph.initializer
    }
    nodes = [node for node in graph.node if node.op_type in LAYER_TYPES]
    layers = [module for module in net.modules() if isinstance(module, tuple(LAYER_TYPES.values()))]
    after = dict(normalised_convolutions(net))
    if len(nodes) != len(layers) or any(node.op_type == "BatchNormalization" for node in graph.node):
        raise ValueError(f"{model} has {len(nodes)} layers, not {len(layers)}, or is not folded")
    with torch.no_grad():
        for node, layer in zip(nodes, layers, strict=True):
            weight, bias = tensors[node.input[1]], tensors[node.input[2]]
            assert isinstance(layer, nn.Conv2d | nn.ConvTranspose2d | nn.Linear)
            if not isinstance(layer, LAYER_TYPES[node.op_type]) or weight.shape != layer.weight.shape:
                raise ValueError(f"{model}: {node.name} does not fit {layer}")
            layer.weight.copy_(weight)
            norm = after.get(layer) if isinstance(layer, nn.Conv2d) else None
            if norm is not None:
                assert norm.running_mean is not None
                assert norm.running_var is not None
                norm.running_mean.zero_()
                norm.running_var.fill_(1 - norm.eps)
                norm.weight.fill_(1)
                norm.bias.copy_(bias)
            else:
                assert layer.bias is not None
                layer.bias.copy_(bias)


class ChannelStatistics:
    """Mean and variance of each output channel of a convolution."""

    def __init__(self, channels: int) -> None:
        self.n = 0
        self.mean = torch.zeros(channels, dtype=torch.float64)
        self._spread = torch.zeros(channels, dtype=torch.float64)

    def add(self, _module: nn.Module, _given: tuple[Tensor, ...], out: Tensor) -> None:
        """A forward hook; out is n x channels x h x w."""
        x = out.detach().transpose(0, 1).flatten(1).double()
        n, mean = x.shape[1], x.mean(1)
        off = mean - self.mean
        # Chan's formula for combining variances; with sums of squares, small variances would be lost
        self._spread += ((x - mean[:, None]) ** 2).sum(1) + off**2 * self.n * n / (self.n + n)
        self.mean += off * n / (self.n + n)
        self.n += n

    @property
    def variance(self) -> Tensor:
        return self._spread / max(self.n, 1)


def restore_statistics(net: nn.Module, batches: Iterable[Tensor]) -> list[ChannelStatistics]:
    """Set the normalisations' statistics to those over `batches`; `eval` answers do not change.

    `batches` are n x 3 x h x w, BGR 0..1. One pass is enough for all layers, because `eval` is right from the start.
    """
    pairs = normalised_convolutions(net)
    counts = [ChannelStatistics(first.out_channels) for first, _ in pairs]
    hooks: list[RemovableHandle] = [
        first.register_forward_hook(count.add) for (first, _), count in zip(pairs, counts, strict=True)
    ]
    net.eval()
    with torch.no_grad():
        for x in batches:
            net(x)
        for hook in hooks:
            hook.remove()
        for (_, norm), count in zip(pairs, counts, strict=True):
            assert norm.running_mean is not None
            assert norm.running_var is not None
            old_deviation = (norm.running_var.double() + norm.eps).sqrt()
            scale = norm.weight.double() / old_deviation
            shift = norm.bias.double() - norm.running_mean.double() * scale
            # No floor but eps: for a channel that hardly varies, the weight is then as small as the deviation that
            # `train` divides by, and noise is not amplified.
            norm.running_var.copy_(count.variance)
            norm.running_mean.copy_(count.mean)
            norm.weight.copy_(scale * (norm.running_var.double() + norm.eps).sqrt())
            norm.bias.copy_(shift + norm.running_mean.double() * scale)
    return counts


def difference_in_training_mode(net: nn.Module, x: Tensor) -> tuple[float, float]:
    """RMS difference between `train` answers, with the batch's own statistics, and `eval` ones; RMS of the answers."""
    other = copy.deepcopy(net).eval()
    with torch.no_grad():
        still = other(x)
        for _, norm in normalised_convolutions(other):
            norm.train()
        moved = other(x)
    return float((moved - still).square().mean().sqrt()), float(still.square().mean().sqrt())


def crops_of(pictures: list[Picture], size: int, count: int, seed: int, side: int) -> list[Tensor]:
    """`count` batches of `size` training crops, side x side."""
    rng = np.random.default_rng(seed)
    dice, real = die_cutouts(pictures), pictures[0].real
    batches = ([sample_die(*dice, real, rng, side)[0] for _ in range(size)] for _ in range(count))
    return [torch.from_numpy(np.stack(crops)).permute(0, 3, 1, 2).float().div(255).contiguous() for crops in batches]


def restore_checkpoints(models: Path, photos: Path, work: Path, *, second: bool = False) -> None:
    """Write checkpoints of the detector and the classifier in `models` to `work`. Raises `SystemExit`.

    second: they are the second pair, with the wide classifier.
    """
    work.mkdir(parents=True, exist_ok=True)
    sources = [(1.0, read_photographs(photos)[0])]
    rng = np.random.default_rng(1)
    frames = [batch_of(sources, 8, rng)[0] for _ in range(BATCHES + 1)]
    side = crop_side_of(second=second)
    crops = crops_of(sources[0][1], 96, BATCHES + 1, seed=2, side=side)
    noise = torch.Generator().manual_seed(3)
    for net, name, inputs, shown in (
        (Detector(), "detector", frames, TRAIN_SIDE),
        (Classifier(wide=second), "classifier", crops, side),
    ):
        model = models / f"{name}.onnx"
        load_folded_weights(net, model)
        counts = restore_statistics(net, inputs[:-1])
        real = difference_to_dnn(net, model, inputs[-1])
        random = difference_to_dnn(net, model, torch.rand((2, 3, shown, shown), generator=noise))
        moved, size = difference_in_training_mode(net, inputs[-1])
        variances = torch.cat([count.variance for count in counts])
        print(f"{name}: cv2.dnn differs by at most {real:.1e} on pictures, {random:.1e} on noise; training mode by "
              f"{moved:.3f} RMS of {size:.3f}; variances {variances.min():.1e} to {variances.max():.1e}, "
              f"{int((variances < 1e-4).sum())} of {len(variances)} under 1e-4", flush=True)  # fmt: skip
        if max(real, random) > LOG_ODDS_TOLERANCE:
            raise SystemExit(f"{name}: not the network that {model} holds")
        torch.save(net.state_dict(), work / f"{name}.pt")
