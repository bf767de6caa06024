"""The training loop of every network: timed, with a cosine schedule; the result is the running mean of the weights."""

from __future__ import annotations

import time
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel

from vision.training.pictures import Course

_MEMORY = 0.998
"""Decay of the running mean: the share of old weights falls to a third in 500 steps."""
_WARM_UP = 100
"""In steps."""


def _running_mean(mean: Tensor, new: Tensor, count: Tensor | int) -> Tensor:
    """Add a value to the mean; with a shorter memory at first, so that short trainings do not keep their start."""
    if not mean.is_floating_point():
        return new
    return mean.lerp(new, 1 - min(_MEMORY, (1 + int(count)) / (10 + int(count))))


class Learner:
    """Trains one network from the start of its course, or from scratch, to a checkpoint."""

    def __init__(self, net: nn.Module, name: str, course: Course, decay: float) -> None:
        torch.set_num_threads(course.threads)
        if course.start:
            net.load_state_dict(torch.load(course.start))
        self._net = net.to(memory_format=torch.channels_last)
        self._mean = AveragedModel(self._net, avg_fn=_running_mean, use_buffers=True)
        self._optimiser = torch.optim.AdamW(self._net.parameters(), lr=course.rate, weight_decay=decay)
        self._rate, self._minutes, self._begin = course.rate, course.minutes, time.monotonic()
        self._path: Path = course.work / f"{name}.pt"
        self.step = 0

    @property
    def share(self) -> float:
        """The share of the time that has passed."""
        return (time.monotonic() - self._begin) / 60 / self._minutes

    def forward(self, x: Tensor) -> Tensor:
        """The network's output, computed in bfloat16 where AVX-512 makes that twice as fast."""
        with torch.autocast("cpu", torch.bfloat16, enabled=torch.backends.cpu.get_cpu_capability() == "AVX512"):
            out: Tensor = self._net(x.to(memory_format=torch.channels_last))
        return out.float()

    def learn(self, loss: Tensor) -> None:
        """One step of gradient descent."""
        share = torch.tensor(min(1.0, self.share))
        for group in self._optimiser.param_groups:
            warm = min(1.0, self.step / _WARM_UP + 0.01)
            group["lr"] = self._rate * warm * float(0.5 + 0.5 * torch.cos(torch.pi * share)) + 1e-6
        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._net.parameters(), 5.0)
        self._optimiser.step()
        self._mean.update_parameters(self._net)
        self.step += 1

    def mean(self) -> nn.Module:
        """The network with the running mean of its weights."""
        self._mean.module.eval()
        return self._mean.module

    def save(self, *, final: bool = False) -> None:
        part = self._path.with_suffix(".part")
        torch.save(self.mean().state_dict(), part)
        part.replace(self._path)
        if final:
            self._path.with_suffix(".done").touch()
