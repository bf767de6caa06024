"""Switching the machine off: what systemd is asked, and what its refusal says. Nothing is switched off here."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from companion.panel import power
from companion.panel.power import PowerError, switch_off


def test_systemd_is_asked_without_a_question_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    def run(command: tuple[str, ...], **_: Any) -> None:
        asked.append(command)

    monkeypatch.setattr(power.subprocess, "run", run)
    switch_off()
    assert asked == [("systemctl", "--no-ask-password", "poweroff")]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (subprocess.CalledProcessError(1, "systemctl", stderr="Call to PowerOff failed: Access denied\n"), r"denied\)"),
        (subprocess.CalledProcessError(4, "systemctl", stderr=""), "exit status 4"),
        (FileNotFoundError(2, "No such file or directory", "systemctl"), "No such file"),
        (subprocess.TimeoutExpired("systemctl", 20), "timed out"),
    ],
)
def test_a_refusal_is_a_sentence(monkeypatch: pytest.MonkeyPatch, error: Exception, words: str) -> None:
    def run(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(power.subprocess, "run", run)
    with pytest.raises(PowerError, match=words) as caught:
        switch_off()
    assert str(caught.value.message).startswith("The box could not be switched off (")
