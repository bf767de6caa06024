"""A network restored from an exported file answers as the file does, and can be trained further."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from vision.models.networks import CROP_SIDE, WIDE_CROP

torch = pytest.importorskip("torch", reason="torch comes with the extra `train`")
pytest.importorskip("onnx", reason="onnx comes with the extra `train`")

if TYPE_CHECKING:
    from torch import Generator, Tensor, nn

WIDTHS = (3, 4, 5, 6)


def shaken(net: nn.Module, noise: Generator) -> nn.Module:
    """Normalisations as after training: none is the identity, and one channel of each is switched off."""
    from vision.training.checkpoint import normalised_convolutions

    for _, norm in normalised_convolutions(net):
        n = norm.num_features
        norm.running_mean = torch.randn(n, generator=noise) * 0.3
        norm.running_var = torch.rand(n, generator=noise) + 0.2
        norm.weight.data = torch.randn(n, generator=noise)
        norm.weight.data[0] = 0
        norm.bias.data = torch.randn(n, generator=noise) * 0.3
    return net.eval()


@pytest.fixture(params=["detector", "classifier", "wide classifier"])
def exported(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[nn.Module, nn.Module, Path, list[Tensor]]:
    """A network, an untrained one like it, the first one's file, and four batches of pictures."""
    from vision.training.networks import Classifier, Detector, export

    torch.manual_seed(5)
    noise = torch.Generator().manual_seed(6)
    make, side = {
        "detector": (lambda: Detector(WIDTHS), 64),
        "classifier": (Classifier, CROP_SIDE),
        "wide classifier": (lambda: Classifier(wide=True), WIDE_CROP),
    }[request.param]
    net, other = make(), make()
    shaken(net, noise)
    weights, model = tmp_path / "net.pt", tmp_path / "net.onnx"
    torch.save(net.state_dict(), weights)
    export(net, weights, model, (2, 3, side, side))
    return net, other, model, [torch.rand((8, 3, side, side), generator=noise) for _ in range(4)]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the older exporter, which cv2 needs
def test_a_restored_network_answers_as_the_file_and_can_be_trained_further(
    exported: tuple[nn.Module, nn.Module, Path, list[Tensor]], tmp_path: Path
) -> None:
    from vision.training.checkpoint import (
        difference_in_training_mode,
        load_folded_weights,
        normalised_convolutions,
        restore_statistics,
    )
    from vision.training.networks import difference_to_dnn

    net, other, model, batches = exported
    load_folded_weights(other, model)
    plain, _ = difference_in_training_mode(other, batches[0])
    restore_statistics(other, batches)
    with torch.no_grad():
        assert torch.allclose(other.eval()(batches[0]), net(batches[0]), atol=1e-3)
    assert difference_to_dnn(other, model, batches[0]) < 1e-3
    moved, size = difference_in_training_mode(other, batches[0])
    assert moved < 0.2 * size
    assert moved < 0.5 * plain
    for _, norm in normalised_convolutions(other):
        # neither the switched-off channel nor its noise may come back
        assert norm.running_var[0] < 1e-12
        assert norm.weight[0].item() == pytest.approx(norm.eps**0.5, rel=1e-3)
    torch.save(other.state_dict(), tmp_path / "again.pt")
    net.load_state_dict(torch.load(tmp_path / "again.pt"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_another_networks_file_is_refused(exported: tuple[nn.Module, nn.Module, Path, list[Tensor]]) -> None:
    from vision.training.checkpoint import load_folded_weights
    from vision.training.networks import Detector

    with pytest.raises(ValueError, match=r"does not fit|is not folded"):
        load_folded_weights(Detector((7, 7, 7, 7)), exported[2])


def test_statistics_of_parts_combine_to_those_of_the_whole() -> None:
    from vision.training.checkpoint import ChannelStatistics

    x = torch.randn((6, 3, 5, 4), generator=torch.Generator().manual_seed(1)) * 1e-3 + 100
    count = ChannelStatistics(3)
    for part in (x[:1], x[1:4], x[4:]):
        count.add(torch.nn.Identity(), (), part)
    assert torch.allclose(count.mean, x.double().mean((0, 2, 3)))
    assert torch.allclose(count.variance, x.double().var((0, 2, 3), correction=0))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_16_bit_weights_take_half_the_space_and_answer_alike(
    exported: tuple[nn.Module, nn.Module, Path, list[Tensor]],
) -> None:
    from vision.training.checkpoint import load_folded_weights, restore_statistics
    from vision.training.networks import difference_to_dnn, store_as_16_bit

    net, other, model, batches = exported
    size_before = model.stat().st_size
    store_as_16_bit(model)
    assert model.stat().st_size < 0.7 * size_before
    assert difference_to_dnn(net, model, batches[0]) < 0.05
    load_folded_weights(other, model)
    restore_statistics(other, batches)
    assert difference_to_dnn(other, model, batches[0]) < 1e-3
