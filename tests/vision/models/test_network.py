"""The networks' files, and the engine that runs them."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.models.integrity import MODELS_FOLDER
from vision.models.network import ModelError, Network


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("detector", (256, 320)),
        ("detector", (544, 960)),
        ("classifier", (64, 64)),
        ("second/detector", (320, 256)),
        ("second/classifier", (96, 96)),
        ("verifier", (72, 72)),
    ],
)
def test_the_engine_gives_the_answers_of_the_published_onnx_file(name: str, size: tuple[int, int]) -> None:
    image = np.random.default_rng(3).integers(0, 256, (*size, 3), dtype=np.uint8)
    onnx = cv2.dnn.readNetFromONNX(str(MODELS_FOLDER / f"{name}.onnx"))
    onnx.setInput(cv2.dnn.blobFromImage(image, 1 / 255))
    assert Network(MODELS_FOLDER / name).run(image) == pytest.approx(np.asarray(onnx.forward())[0], abs=0.01)


@pytest.mark.parametrize("suffix", [".param", ".bin"])
def test_a_missing_file_says_to_install_again(tmp_path: Path, suffix: str) -> None:
    for each in {".param", ".bin"} - {suffix}:
        shutil.copy(MODELS_FOLDER / f"detector{each}", tmp_path)
    with pytest.raises(ModelError, match=rf"^detector\{suffix} is missing .*: install the program again\.$"):
        Network(tmp_path / "detector")


@pytest.mark.parametrize("suffix", [".param", ".bin"])
def test_a_damaged_file_says_to_install_again(tmp_path: Path, suffix: str) -> None:
    for each in (".param", ".bin"):
        shutil.copy(MODELS_FOLDER / f"detector{each}", tmp_path)
    damaged = tmp_path / f"detector{suffix}"
    damaged.write_bytes(damaged.read_bytes()[:1000])
    with pytest.raises(ModelError, match=rf"^detector\{suffix} in vision/models is damaged"):
        Network(tmp_path / "detector")
