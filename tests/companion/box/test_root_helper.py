"""What the service may ask of root, and nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from companion.box import root_helper
from companion.box.release.versions import Versions
from companion.box.root_helper import RootHelper, answer_once
from companion.box.root_requests import ANSWER_PATIENCE, RootRequestError, RootRequests
from companion.config import parse
from companion.config.settings_file import SettingsError, SettingsFile
from tests.fakes.clock import FakeClock
from tests.fakes.releases import key, publish, release, signers

__all__ = ["key", "publish", "release", "signers"]

pytestmark = pytest.mark.programs("ssh-keygen")


class Shell:
    """Records the commands in place of running them, and fails those that have a word of `failures`."""

    def __init__(self) -> None:
        self.commands: list[str] = []
        self.failures: set[str] = set()

    def __call__(self, command: Sequence[str]) -> tuple[int, str]:
        self.commands.append(" ".join(command))
        return int(bool(self.failures & {*command})), "it failed"


@pytest.fixture
def shell() -> Shell:
    return Shell()


@pytest.fixture
def box(tmp_path: Path, shell: Shell, signers: Path, monkeypatch: pytest.MonkeyPatch) -> RootHelper:
    etc = tmp_path / "perudo.toml"
    etc.write_text("# as it was\n")
    monkeypatch.setattr(root_helper, "CONFIG_FILE", str(etc))
    monkeypatch.setattr(root_helper, "SIGNERS_FILE", str(signers))
    monkeypatch.setattr(root_helper, "INCOMING_RELEASE", tmp_path / "incoming")
    monkeypatch.setattr(root_helper, "_installed", tuple)
    return RootHelper(Versions(tmp_path / "opt"), shell)


@pytest.fixture
def roots(box: RootHelper, tmp_path: Path, clock: FakeClock) -> RootRequests:
    """Root, as the service asks it; systemd, which sees the file, is played by the pause between two looks."""

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        answer_once(box, tmp_path, tmp_path / "answers")

    return RootRequests(tmp_path, tmp_path / "answers", clock, sleep)


@pytest.fixture
def ask(roots: RootRequests) -> Callable[..., object]:
    return lambda **request: roots.ask(request)


def test_a_configuration_is_put_in_place_whole(ask: Callable[..., object], tmp_path: Path) -> None:
    ask(do="configure", text="[table]\ncalza = false\n")
    assert (tmp_path / "perudo.toml").read_text() == "[table]\ncalza = false\n"
    assert not (tmp_path / "request.json").exists()


def test_a_configuration_with_a_mistake_changes_nothing(ask: Callable[..., object], tmp_path: Path) -> None:
    with pytest.raises(RootRequestError, match="mistakes"):
        ask(do="configure", text="[table]\ncalza = 3\n")
    assert (tmp_path / "perudo.toml").read_text() == "# as it was\n"


def test_root_writes_the_keys_that_the_host_chooses_on_the_page(roots: RootRequests, tmp_path: Path) -> None:
    settings = SettingsFile(tmp_path / "perudo.toml", put=roots.configure)
    settings.change("panel", {"input": "usb", "dudo_keys": ("KEY_B on A button",)})
    settings.change("camera", {"source": "http://ana:s3cret@cam/video"})
    text = (tmp_path / "perudo.toml").read_text()
    assert text.startswith("# as it was\n")
    assert (parse(text).panel.input, parse(text).camera.source) == ("usb", "http://ana:s3cret@cam/video")
    assert "s3cret" not in (tmp_path / "answers" / "answer.json").read_text()


@pytest.mark.parametrize("source", ['http://x/"\n[access]\ncode = "0000"', "webcam:/etc/shadow", "file:///etc/shadow"])
def test_root_believes_no_key_that_the_service_asks_for(roots: RootRequests, tmp_path: Path, source: str) -> None:
    """Even if the service were somebody else's: what it writes is read by the rules of the configuration."""
    with pytest.raises(SettingsError, match="has mistakes"):
        roots.configure(f"[camera]\nsource = {json.dumps(source)}\n")
    with pytest.raises(SettingsError, match="has mistakes"):
        roots.configure("[panel]\nrun = 'reboot'\n")
    assert (tmp_path / "perudo.toml").read_text() == "# as it was\n"


@pytest.mark.parametrize("name", ["", "Perudo", "perudo;reboot", "-perudo", "a" * 40, "perudo.local"])
def test_a_name_that_no_machine_has_is_refused(ask: Callable[..., object], shell: Shell, name: str) -> None:
    with pytest.raises(RootRequestError, match="no name for a machine"):
        ask(do="rename", name=name)
    assert shell.commands == []


def test_nothing_else_can_be_asked(ask: Callable[..., object], shell: Shell) -> None:
    with pytest.raises(RootRequestError, match="no request 'run'"):
        ask(do="run", command="reboot")
    assert shell.commands == []


@pytest.mark.parametrize("content", ["{", "[]", '{"do": 3}', "x" * 300_000, "[" * 200_000, "\xff"])
def test_a_request_that_cannot_be_read_is_removed_and_refused(box: RootHelper, tmp_path: Path, content: str) -> None:
    (tmp_path / "request.json").write_text(content, encoding="latin-1")
    answer_once(box, tmp_path, tmp_path / "answers")
    assert not (tmp_path / "request.json").exists(), "or systemd would start it for ever"
    answer = json.loads((tmp_path / "answers" / "answer.json").read_text())
    assert answer["ok"] is False
    assert answer["error"]


def test_a_folder_in_place_of_a_request_is_removed_and_refused(box: RootHelper, tmp_path: Path) -> None:
    deep = "/".join("a" * 200 for _ in range(15))
    (tmp_path / "request.json" / deep).mkdir(parents=True)
    (tmp_path / "kept").mkdir()
    (tmp_path / "request.json" / "link").symlink_to(tmp_path / "kept")
    answer_once(box, tmp_path, tmp_path / "answers")
    assert not (tmp_path / "request.json").exists()
    assert (tmp_path / "kept").exists()
    assert json.loads((tmp_path / "answers" / "answer.json").read_text())["ok"] is False


def test_a_folder_that_its_owner_has_shut_does_not_stay_in_place_of_a_request(box: RootHelper, tmp_path: Path) -> None:
    (tmp_path / "request.json" / "inner").mkdir(parents=True)
    (tmp_path / "request.json" / "inner").chmod(0)
    (tmp_path / "request.json").chmod(0)
    if os.geteuid() == 0:
        for each in (tmp_path / "request.json" / "inner", tmp_path / "request.json", tmp_path):
            os.chown(each, 65534, 65534)
        for each in tmp_path.parents:
            if not each.stat().st_mode & 0o001:
                each.chmod(0o711)
    answer_once(box, tmp_path, tmp_path / "answers")
    assert not (tmp_path / "request.json").exists()


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "rename", "name": "perudo\0"},
        *({"do": "update", "address": each} for each in ("", "http://[", "http://a b/", "http://\0", "http://é.ü:x/")),
        {"do": "configure", "text": "a = " + "[" * 100_000},
        {"do": "configure", "text": "\0"},
        {"do": "\0"},
    ],
)
def test_any_request_gets_an_answer(ask: Callable[..., object], shell: Shell, request_: dict[str, str]) -> None:
    with pytest.raises(RootRequestError) as refused:
        ask(**request_)
    assert refused.value.message
    assert "does not answer" not in refused.value.message
    assert shell.commands == []


def test_a_link_is_not_followed(box: RootHelper, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps({"do": "configure", "text": ""}))
    (tmp_path / "request.json").symlink_to(secret)
    answer_once(box, tmp_path, tmp_path / "answers")
    assert secret.exists()
    assert (tmp_path / "perudo.toml").read_text() == "# as it was\n"


def test_root_that_does_not_answer_is_given_up(tmp_path: Path, clock: FakeClock) -> None:
    begun = clock()
    with pytest.raises(RootRequestError, match="does not answer"):
        RootRequests(tmp_path, tmp_path / "answers", clock, clock.sleep).ask({"do": "rename", "name": "perudo"})
    assert clock() - begun == pytest.approx(ANSWER_PATIENCE, abs=1)
    assert not (tmp_path / "request.json").exists(), "it is not carried out when nobody waits any more"


# Updates


def test_an_update_is_fetched_installed_and_tried(
    ask: Callable[..., object], publish: Callable[..., str], tmp_path: Path, shell: Shell
) -> None:
    ask(do="update", address=publish("one"))
    versions = Versions(tmp_path / "opt")
    assert versions.current.name == "one"
    assert shell.commands == [f"{tmp_path}/opt/current/bin/perudo install-service"]
    assert not (tmp_path / "incoming").exists()
    with pytest.raises(RootRequestError, match="not newer"):
        ask(do="update", address=publish("old", made="2020-01-01T00:00:00+00:00"))
    with pytest.raises(RootRequestError, match="no previous version"):
        ask(do="go-back")
    assert versions.current.name == "one"


def test_a_new_version_that_does_not_start_is_told(
    ask: Callable[..., object], publish: Callable[..., str], shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def install(versions: Versions, *_: object) -> str:
        program = versions.place / "versions" / "one" / "bin" / "perudo"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        return "one"

    monkeypatch.setattr(Versions, "install", install)
    shell.failures = {"install-service"}
    with pytest.raises(RootRequestError, match="did not start"):
        ask(do="update", address=publish("one"))


@pytest.mark.parametrize("address", ["", "file:///etc", "http://127.0.0.1:9/"])
def test_an_address_without_a_release_is_told(ask: Callable[..., object], address: str) -> None:
    with pytest.raises(RootRequestError, match=r"no address of releases|cannot be fetched"):
        ask(do="update", address=address)
