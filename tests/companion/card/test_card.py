"""`perudo card`: into a folder, and into the image of a card, with a release that is really signed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.box.release.release import read_release
from companion.box.service import FILES
from companion.card.command import VENDOR_DATA, card
from companion.card.pack import news
from tests.fakes.releases import key, release
from tests.pi.vm import boot_partition, command_line

__all__ = ["key", "release"]

pytestmark = pytest.mark.programs("ssh-keygen")

CMDLINE = "console=tty1 root=PARTUUID=1-02 rootfstype=ext4 rootwait resize\n"


@pytest.fixture
def write(release: Callable[..., Path], key: Path, tmp_path: Path) -> Callable[..., Result]:
    folder = release("one")

    def write(*arguments: str) -> Result:
        printed = [] if "--zip" in arguments[:1] else ["--cards", str(tmp_path / "cards.html")]
        return CliRunner().invoke(card, ["--release", str(folder), "--key", str(key), *printed, *arguments])

    return write


def test_a_folder_gets_all_that_a_first_start_needs(write: Callable[..., Result], tmp_path: Path) -> None:
    out = tmp_path / "bootfs"
    out.mkdir()
    (out / "cmdline.txt").write_text(CMDLINE)
    (out / "config.txt").write_text("[all]\n")
    (out / "user-data").write_text("#cloud-config\n")
    done = write("--out", str(out), "--name", "perudo-attic", "--wifi", "Home", "--wifi-password", "12345678",
                 "--country", "FR", "--language", "fr")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "http://perudo-attic.local/" in done.output
    assert '"hostname": "perudo-attic"' in (out / "user-data").read_text()
    instance = json.loads((out / "meta-data").read_text())["instance-id"]
    assert (out / "cmdline.txt").read_text().endswith(f"cfg80211.ieee80211_regdom=FR ds=nocloud;i={instance}\n")
    assert "dtparam=spi=on" in (out / "config.txt").read_text()
    ours = out / "perudo"
    for secret in (out / "network-config", ours / "access.json", ours / "wifi.json", tmp_path / "cards.html"):
        assert secret.stat().st_mode & 0o077 == 0, f"others may read {secret}"
    assert read_release(ours / "release", ours / "release-signers").name == "one"
    # What is printed is what is on the card.
    printed = (tmp_path / "cards.html").read_text()
    own = json.loads((ours / "wifi.json").read_text())
    assert own["name"] in printed
    assert own["password"] in printed
    assert json.loads((ours / "access.json").read_text())["code"] in printed
    # What runs first is there, and needs nothing that is not.
    first = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ours / 'first-start')!r}); "
             "import companion.card.first_start as first; print(first.__file__)"]  # fmt: skip
    assert str(ours) in subprocess.run(first, capture_output=True, text=True, check=True).stdout


def test_an_archive_is_for_everybodys_cards(write: Callable[..., Result], tmp_path: Path) -> None:
    """Raspberry Pi Imager's own files beside it stay as they are, and nothing in it is secret."""
    done = write("--zip", str(tmp_path / "perudo.zip"), "--language", "fr")
    assert done.exit_code == 0, done.output
    assert "http://perudo.local/" in done.output
    bootfs = tmp_path / "bootfs"
    with zipfile.ZipFile(tmp_path / "perudo.zip") as archive:
        assert {name.split("/")[0] for name in archive.namelist()} == {"perudo", "vendor-data"}
        assert not {"perudo/access.json", "perudo/wifi.json"} & set(archive.namelist())
        archive.extractall(bootfs)
    ours = bootfs / "perudo"
    assert read_release(ours / "release", ours / "release-signers").name == "one"
    assert 'language = "fr"' in (ours / "perudo.toml").read_text()
    assert "ExecStart=" in (ours / "perudo-first-start.service").read_text()
    assert json.loads((ours / "card.json").read_text())["made_for"] is None
    assert not (tmp_path / "cards.html").exists(), "the first start writes them"


def test_what_a_packed_configuration_tells_is_said(write: Callable[..., Result], tmp_path: Path) -> None:
    settings = tmp_path / "mine.toml"
    settings.write_text(
        '[access]\ncode = "4711"\n[club]\nbroker = "mqtt://ha:x@ha.local"\n[camera]\nsource = "http://cam:8080"\n'
    )
    said = write("--zip", str(tmp_path / "perudo.zip"), "--config", str(settings)).output
    assert "code in [access], broker in [club]: whoever has it can read that" in said
    assert "no secret" not in said
    settings.write_text("[web]\nport = 80\n")
    assert "no secret" in write("--zip", str(tmp_path / "perudo.zip"), "--config", str(settings)).output


def test_somebodys_folder_of_that_name_stays(write: Callable[..., Result], tmp_path: Path) -> None:
    thesis = tmp_path / "home" / "perudo" / "thesis.txt"
    thesis.parent.mkdir(parents=True)
    thesis.write_text("years of work")
    done = write("--out", str(tmp_path / "home"))
    assert done.exit_code != 0
    assert "was not written by perudo card" in done.output
    assert [each.name for each in (tmp_path / "home").rglob("*")] == ["perudo", "thesis.txt"]


@pytest.mark.parametrize("hostname", ["raspberrypi", "attic"])
def test_what_the_archive_has_cloud_init_do(hostname: str, tmp_path: Path) -> None:
    """A name that Imager was told stays."""
    asked, programs = tmp_path / "asked", tmp_path / "bin"
    for folder in ("etc/systemd/system", "etc/apt/apt.conf.d", "boot/firmware/perudo", "bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "boot/firmware/perudo/perudo-first-start.service").write_text("[Unit]\n")
    (tmp_path / "etc/hostname").write_text(f"{hostname}\n")
    (tmp_path / "etc/hosts").write_text(f"127.0.0.1\tlocalhost\n127.0.1.1\t{hostname}\n")
    for program in ("systemctl", "hostnamectl"):
        (programs / program).write_text(f'#!/bin/sh\necho "{program} $*" >>{asked}\n')
        (programs / program).chmod(0o755)
    script = (FILES / "card" / VENDOR_DATA).read_text()
    assert script.startswith("#!/bin/sh\n"), "by which cloud-init knows a script"
    script = script.replace("/etc/", f"{tmp_path}/etc/").replace("/boot/", f"{tmp_path}/boot/")
    subprocess.run(["sh", "-c", script], env={"PATH": f"{programs}:{os.environ['PATH']}"}, check=True)
    asks = asked.read_text().splitlines()
    assert asks[-1] == "systemctl start --no-block perudo-first-start.service"
    assert (tmp_path / "etc/systemd/system/perudo-first-start.service").exists()
    named = "perudo" if hostname == "raspberrypi" else hostname
    assert ("hostnamectl set-hostname perudo" in asks) == (named != hostname)
    assert (tmp_path / "etc/hosts").read_text() == f"127.0.0.1\tlocalhost\n127.0.1.1\t{named}\n"


def test_a_card_can_be_made_on_windows(release: Callable[..., Path], key: Path, tmp_path: Path) -> None:
    """Where Python has none of the modules of Unix, and no folder can be opened."""
    program = (
        "import os, sys\n"
        "del os.O_DIRECTORY\n"
        "sys.modules |= dict.fromkeys(['fcntl', 'grp', 'pwd', 'resource', 'termios'])\n"
        "from companion.cli import main\n"
        "main()\n"
    )
    for made in ("--zip", "--out"):
        made_in = tmp_path / made
        arguments = ["card", made, str(made_in), "--release", str(release(f"of{made}")), "--key", str(key)]
        arguments += ["--cards", str(tmp_path / "cards.html")] if made == "--out" else []
        done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert made_in.exists()


def test_without_a_name_the_box_is_called_as_its_own_wifi_and_no_two_cards_are_alike(
    write: Callable[..., Result], tmp_path: Path
) -> None:
    out, names, seeds = tmp_path / "bootfs", set(), set()
    for _ in range(2):
        done = write("--out", str(out))
        name = json.loads((out / "perudo" / "wifi.json").read_text())["name"].lower()
        assert re.fullmatch("perudo-[0-9a-f]{4}", name)
        assert f'"hostname": "{name}"' in (out / "user-data").read_text()
        assert f"http://{name}.local/" in done.output
        assert f"<p>{name}.local</p>" in (tmp_path / "cards.html").read_text()
        names.add(name)
        seeds.add((out / "meta-data").read_text())
    assert len(names) == len(seeds) == 2, "written again, it is another first start"


@pytest.mark.programs("mcopy", "mkfs.vfat", "sfdisk")
def test_an_image_is_changed_in_place(write: Callable[..., Result], tmp_path: Path) -> None:
    image = tmp_path / "card.img"
    boot = tmp_path / "boot.img"
    with image.open("wb") as file:
        file.truncate(80 * 2**20)
    with boot.open("wb") as file:
        file.truncate(64 * 2**20)
    layout = b"label: dos\nstart=2048, size=131072, type=c\nstart=133120, size=8192, type=83\n"
    subprocess.run(["sfdisk", "-q", str(image)], input=layout, check=True)
    subprocess.run(["mkfs.vfat", str(boot)], capture_output=True, check=True)
    for name, text in {"cmdline.txt": CMDLINE, "user-data": "#cloud-config\n"}.items():
        (tmp_path / name).write_text(text)
        subprocess.run(["mcopy", "-i", str(boot), str(tmp_path / name), "::"], check=True)
    subprocess.run(["dd", f"if={boot}", f"of={image}", "bs=1M", "seek=1", "conv=notrunc", "status=none"], check=True)
    for _ in range(2):  # again, over what is there
        done = write("--out", str(image), "--read-only")
        assert done.exit_code == 0, done.output
    line = command_line(image)
    assert line.count("ds=nocloud") == 1
    assert "resize" not in line
    subprocess.run(["mcopy", "-s", "-i", boot_partition(image), "::perudo", str(tmp_path / "found")], check=True)
    found = tmp_path / "found"
    assert read_release(found / "release", found / "release-signers").name == "one"
    assert json.loads((found / "card.json").read_text())["read_only"] is True


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--name", "Perudo Box"), "small letters"),
        (("--wifi", "Home", "--wifi-password", "12345678"), "needs --country"),
        (("--wifi", "Home", "--wifi-password", "short", "--country", "FR"), "8 to 63"),
        (("--wifi-hidden",), "that --wifi names"),
        (("--wifi-password", "12345678"), "that --wifi names"),
        (("--country", "France"), "two capital letters"),
        (("--timezone", "../../etc/passwd"), "like Europe/Paris"),
        (("--read-only",), "name a boot partition"),
        (("--offline",), "needs an image"),
        (("--zip", "perudo.zip"), "Name either"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(
    write: Callable[..., Result], tmp_path: Path, arguments: tuple[str, ...], why: str
) -> None:
    done = write("--out", str(tmp_path / "bootfs"), *arguments)
    assert done.exit_code == 2
    assert why in " ".join(done.output.split())
    assert not (tmp_path / "bootfs" / "user-data").exists()


@pytest.mark.parametrize("found", ["cmdline.txt", "rpi-preseed.toml"])
def test_a_system_without_cloud_init_is_refused_by_name(
    found: str, write: Callable[..., Result], tmp_path: Path
) -> None:
    out = tmp_path / "bootfs"
    out.mkdir()
    (out / found).write_text(CMDLINE)
    done = write("--out", str(out))
    assert done.exit_code == 2
    assert "no cloud-init" in done.output
    assert ("rpi-preseed" in done.output) == (found == "rpi-preseed.toml")
    assert "whose first partition has meta-data, network-config, user-data" in done.output
    assert [each.name for each in out.iterdir()] == [found]


@pytest.mark.parametrize("of_one_card", [("--name", "attic"), ("--wifi", "Home"), ("--read-only",), ("--cards", "a")])
def test_what_is_of_one_card_does_not_go_into_an_archive(
    of_one_card: tuple[str, ...], release: Callable[..., Path], key: Path, tmp_path: Path
) -> None:
    done = CliRunner().invoke(card, ["--zip", str(tmp_path / "perudo.zip"), *of_one_card])
    assert done.exit_code == 2
    assert f"{of_one_card[0]} is of one card" in done.output
    assert not (tmp_path / "perudo.zip").exists()


@pytest.mark.programs("sfdisk")
def test_a_packed_image_is_told_from_an_unpacked_one(write: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "card.img.xz").write_bytes(b"\xfd7zXZ\x00" + bytes(5000))
    done = write("--out", str(tmp_path / "card.img.xz"))
    assert done.exit_code == 2
    assert "xz -dk" in done.output


def test_a_changed_release_is_not_put_on_a_card(
    write: Callable[..., Result], tmp_path: Path, release: Callable[..., Path], key: Path
) -> None:
    folder = release("two")
    (folder / "libraries-1-py3-none-any.whl").write_bytes(b"something else")
    done = CliRunner().invoke(card, ["--release", str(folder), "--key", str(key), "--out", str(tmp_path / "bootfs"),
                                     "--cards", str(tmp_path / "cards.html")])  # fmt: skip
    assert done.exit_code == 2
    assert "not the file that was signed" in done.output


def test_what_is_new_is_read_from_the_changelog() -> None:
    added = "### Added\n\n- One `thing`,\n  on two lines.\n- [Two](docs/x.md).\n"
    assert news(f"# Changelog\n\n## [Unreleased]\n\n{added}\n## [0.1.0]\n- Old.\n") == (
        "One thing, on two lines.",
        "Two.",
    )
