"""The network that the reader's cost is held against must be what it says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.benchmarks.yardstick import YARDSTICK_SIDE, YOLO_GFLOP, YOLO_WEIGHTS, yardstick


def test_it_has_the_published_number_of_weights_and_costs_the_published_gflop() -> None:
    net = yardstick()
    assert net.weights == YOLO_WEIGHTS
    assert net.gflop == pytest.approx(YOLO_GFLOP, rel=0.01)


def test_dnn_runs_it_and_its_numbers_stay_ordinary() -> None:
    net = cv2.dnn.readNetFromONNX(np.frombuffer(yardstick().onnx, np.uint8))
    frame = np.random.default_rng(1).integers(0, 256, (YARDSTICK_SIDE, YARDSTICK_SIDE, 3), dtype=np.uint8)
    net.setInput(cv2.dnn.blobFromImage(frame, 1 / 255))
    out = np.asarray(net.forward())
    assert out.shape == (144, 8400)
    # numbers that vanish or run away would cost other than real ones
    assert np.isfinite(out).all()
    assert 0.01 < out.std() < 1000


def test_the_same_seed_gives_the_same_file() -> None:
    assert yardstick(3).onnx == yardstick(3).onnx
    assert yardstick(3).onnx != yardstick(4).onnx


def test_onnx_itself_finds_no_fault_and_counts_the_same() -> None:
    onnx = pytest.importorskip("onnx", reason="onnx comes with the extra `train`")
    net = yardstick()
    model = onnx.load_from_string(net.onnx)
    onnx.checker.check_model(model, full_check=True)
    graph = onnx.shape_inference.infer_shapes(model, strict_mode=True).graph
    sizes = {v.name: [d.dim_value for d in v.type.tensor_type.shape.dim] for v in graph.value_info}
    weights = {w.name: int(np.prod(w.dims)) for w in graph.initializer}
    macs = sum(weights[n.input[1]] * int(np.prod(sizes[n.output[0]][2:])) for n in graph.node if n.op_type == "Conv")
    assert net.gflop == pytest.approx(2 * macs / 1e9)


@pytest.mark.skipif(
    int(cv2.__version__.split(".")[0]) >= 5, reason="OpenCV 5.0's Net.getFLOPS takes no shape from Python"
)
def test_opencv_counts_about_the_same() -> None:
    net = cv2.dnn.readNetFromONNX(np.frombuffer(yardstick().onnx, np.uint8))
    assert net.getFLOPS((1, 3, YARDSTICK_SIDE, YARDSTICK_SIDE)) / 1e9 == pytest.approx(YOLO_GFLOP, rel=0.02)  # type: ignore[call-overload]
