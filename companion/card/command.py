"""`perudo card`: writes a memory card whose first start sets up the box."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Final

import click
import platformdirs

from companion.box.release.release import Release, ReleaseError, read_release, signers_text
from companion.box.root_requests import HOST_NAME
from companion.box.service import FILES
from companion.card.boot_partition import BootPartition, CardError, boot_partition
from companion.card.cloud_init import (
    FOLDER,
    UNIT,
    HomeWifi,
    command_line,
    firmware_config,
    meta_data,
    network_config,
    user_data,
)
from companion.card.first_start import CARD_FILE, CARDS_FILE
from companion.card.pack import SOURCES, pack
from companion.card.packages import fetch_packages
from companion.cli.cards import page
from companion.cli.options import FOLDER_PATH
from companion.cli.output import fail, say, write_file
from companion.config import Config, ConfigError, default_text, load
from companion.config.secrets import code_in
from companion.config.sections import ADDRESSES
from companion.features.wifi.own_network import WIFI_KEY_FILE, OwnNetwork, draw_own_network
from companion.messages import languages
from companion.messages.sentence import json_bytes
from companion.messages.shown_address import holds_more_than_host
from companion.state_folder import KEYS_FILE
from hardware.panel.wiring import SEATS
from web.access.keys import Keys, draw, keys_text

FIRST_START: Final = (
    "companion/__init__.py",
    "companion/bootstrap/__init__.py",
    "companion/bootstrap/apt.py",
    "companion/box/__init__.py",
    "companion/box/first_start_report.py",
    "companion/box/release",
    "companion/card/__init__.py",
    "companion/card/first_start.py",
    "companion/card/mirror.py",
    "companion/card/state_partition.py",
    "companion/card/status_file.py",
)
"""The modules that the first start needs before the program is installed."""
OF_ONE_CARD: Final = (
    "name",
    "wifi",
    "wifi_password",
    "wifi_hidden",
    "country",
    "timezone",
    "ssh_key",
    "read_only",
    "offline",
    "cards",
)
"""Options that differ between people's cards; for these, Raspberry Pi Imager asks or the first start chooses."""
SEED: Final = ("meta-data", "network-config", "user-data")
"""The files on the first partition of a Raspberry Pi OS with cloud-init."""
VENDOR_DATA: Final = "vendor-data"
"""A script that cloud-init runs beside Imager's user-data, which stays unchanged."""


@click.command()
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR|IMAGE",
              help="The card's boot partition (bootfs), where it is mounted; a new folder, to be copied there; or an "
                   "unpacked image of Raspberry Pi OS Lite (64 bit), which is changed.")  # fmt: skip
@click.option("--zip", "archive", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.zip",
              help="In place of --out: an archive for everybody's cards, with no secret in it but what --config "
                   "has.")  # fmt: skip
@click.option("--name", help="The box's name: its page is http://NAME.local/.  [default: as its own Wi-Fi is "
                             "called, perudo-1a2b for example]")  # fmt: skip
@click.option(
    "--wifi", metavar="NAME", help="The Wi-Fi to join. Without it, and without a cable, the box opens its own."
)
@click.option("--wifi-password", metavar="PASSWORD",
              help="Its password, or WPA2's key in 64 hexadecimal digits; \"\" for an open network. "
                   "[default: asked for]")  # fmt: skip
@click.option("--wifi-hidden", is_flag=True, help="It does not send its name.")
@click.option("--country", metavar="CC", help="Your country in two letters, as FR: Wi-Fi stays off without it.")
@click.option("--timezone", metavar="ZONE", help="As Europe/Paris. [default: this machine's]")
@click.option("--language", type=click.Choice([each.id for each in languages.offered()]), metavar="LANGUAGE",
              help="The page's language where a browser asks for none of these.")  # fmt: skip
@click.option("--ssh-key", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE.pub",
              help="A public key that may log in by ssh as perudo-admin. Nobody may without it.")  # fmt: skip
@click.option("--config", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
              help="A perudo.toml for the box. [default: the default one]")  # fmt: skip
@click.option("--read-only", is_flag=True,
              help="Only read the card, but for a partition for the games: the plug may be pulled at any "
                   "time.")  # fmt: skip
@click.option("--offline", is_flag=True,
              help="Put Debian's packages on it too: the first start then needs no network. --out is an "
                   "image.")  # fmt: skip
@click.option("--release", type=FOLDER_PATH, metavar="DIR",
              help="A release to put on it.  [default: one is made of this clone's last commit]")  # fmt: skip
@click.option("--key", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The private key that signs releases; the box takes only what it signed.  [default: this user's, "
                   "which is made if there is none]")  # fmt: skip
@click.option("--cards", type=click.Path(dir_okay=False, path_type=Path), default=CARDS_FILE,
              show_default=True, metavar="FILE.html",
              help="Cards for the seats, to print: how a phone joins, and the box's own Wi-Fi.")  # fmt: skip
@click.option("--machine", type=click.Choice(["aarch64", "x86_64"]), default="aarch64", show_default=True,
              help="The processor. A Raspberry Pi 4 or 5 is aarch64.")  # fmt: skip
@click.pass_context
def card(
    context: click.Context,
    out: Path | None,
    archive: Path | None,
    name: str | None,
    wifi: str | None,
    wifi_password: str | None,
    wifi_hidden: bool,
    country: str | None,
    timezone: str | None,
    language: str | None,
    ssh_key: Path | None,
    config: Path | None,
    read_only: bool,
    offline: bool,
    release: Path | None,
    key: Path | None,
    cards: Path,
    machine: str,
) -> None:
    """Write what a memory card with Raspberry Pi OS Lite needs to become the box at its first start.

    The card needs the network once, for Debian's packages, unless it is made with --offline. The program comes with
    the card, signed.
    """
    if (out is None) == (archive is None):
        raise click.UsageError("Name either --out, the card or its folder, or --zip, an archive for everybody's cards.")
    if archive is not None:
        for option in OF_ONE_CARD:
            if context.get_parameter_source(option) is click.core.ParameterSource.COMMANDLINE:
                raise click.UsageError(f"--{option.replace('_', '-')} is of one card: it does not go with --zip.")
    if name is not None and not HOST_NAME.fullmatch(name):
        raise click.BadParameter("a name has at most 32 small letters, digits and hyphens", param_hint="--name")
    if country is not None and not re.fullmatch("[A-Z]{2}", country):
        raise click.BadParameter("a country is two capital letters, as FR", param_hint="--country")
    if timezone is not None and not re.fullmatch(r"[\w+-]+(/[\w+-]+)*", timezone, re.ASCII):
        raise click.BadParameter("a time zone is a name like Europe/Paris", param_hint="--timezone")
    if wifi is None and (wifi_hidden or wifi_password is not None):
        raise click.UsageError("--wifi-password and --wifi-hidden are of the network that --wifi names.")
    if wifi is not None and country is None:
        raise click.UsageError("--wifi needs --country: which channels are allowed depends on it.")
    if offline and (out is None or not out.is_file()):
        raise click.UsageError("--offline needs an image as --out: it says which packages are missing.")
    try:
        boot = None if out is None else boot_partition(out)
        if boot is not None:
            _check_image(boot)
        network = None if wifi is None else _network(wifi, wifi_password, hidden=wifi_hidden)
        if config is not None:
            load(config, {})
        admin = _key(ssh_key)
        with tempfile.TemporaryDirectory(prefix="perudo-card-") as folder:
            top = Path(folder)
            found = _write_program(top / FOLDER, release, key or _own_key(), machine)
            if config is not None or language is not None:
                (top / FOLDER / "perudo.toml").write_text(_config_text(config, language), encoding="utf-8")
            if archive is not None:
                _write_archive(top, found, archive, _secrets(config))
                return
            assert out is not None  # there is no archive
            assert boot is not None
            if offline:
                fetch_packages(out, top / FOLDER / "packages", machine, read_only, say)
            keys, own = _write_secrets(top / FOLDER)
            name = name or own.name.lower()
            _write_card_file(top / FOLDER, found, made_for=name, read_only=read_only)
            texts = _seed(boot, name, network, country, timezone or _timezone(), admin, read_only=read_only)
            for file, text in texts.items():
                (top / file).write_text(text, encoding="utf-8")
            boot.write(top)
        write_file(cards, page(SEATS, f"http://{name}.local/", keys.code, own).encode(), mode=0o600)
    except (CardError, ReleaseError, ValueError) as error:
        fail(str(error))
    except ConfigError as error:
        fail(f"{config} has to be corrected first:\n" + "\n".join(map(str, error.mistakes)))
    say(
        f"{out} has all it needs. Put the card into the Pi and the plug in: after some minutes the page is at",
        f"    http://{name}.local/",
        f"Print {cards} now: it has the table's code, {keys.code}, and the box's own Wi-Fi, {own.name}.",
    )


def _write_program(ours: Path, release: Path | None, key: Path, machine: str) -> Release:
    """Write the program and the first-start modules into `ours`, a new folder. Raises `ReleaseError`."""
    ours.mkdir()
    (ours / "release-signers").write_text(signers_text(_public(key)), encoding="utf-8")
    if release is None:
        pack(ours / "release", key, machine, say)
    else:
        shutil.copytree(release, ours / "release")
    found = read_release(ours / "release", ours / "release-signers")
    say(f"{found.name}: {sum(wheel.size for wheel in found.wheels) / 1e6:.0f} MB")
    for each in FIRST_START:
        source, target = SOURCES / each, ours / "first-start" / each
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, target)
    return found


def _write_secrets(ours: Path) -> tuple[Keys, OwnNetwork]:
    """Create the table's code and the box's own Wi-Fi, which are printed on the cards, and write them."""
    rng = random.SystemRandom()
    keys, own = draw(rng), draw_own_network(rng, rng.randbytes(8).hex())
    for file, text in {KEYS_FILE: keys_text(keys), WIFI_KEY_FILE: json_bytes(own).decode()}.items():
        (ours / file).write_text(text, encoding="utf-8")
    return keys, own


def _write_card_file(ours: Path, found: Release, *, made_for: str | None, read_only: bool) -> None:
    """`made_for`: the box's name; None if the archive is for anybody."""
    card_values = {"made_for": made_for, "release": found.name, "read_only": read_only}
    (ours / CARD_FILE).write_text(json.dumps(card_values, indent=1) + "\n", encoding="utf-8")


def _secrets(config: Path | None) -> tuple[str, ...]:
    """The keys of a configuration that contain a secret, such as "code in [access]"."""
    text = "" if config is None else config.read_text(encoding="utf-8-sig")
    code = ("access", "code") if code_in(text) is not None else None
    values = load(config, {}) if config is not None else Config()
    addresses = (each for each in ADDRESSES if holds_more_than_host(getattr(getattr(values, each[0]), each[1]) or ""))
    return tuple(f"{key} in [{section}]" for section, key in (*([code] if code else []), *addresses))


def _write_archive(top: Path, found: Release, archive: Path, secrets: tuple[str, ...]) -> None:
    """Pack everything in `top`, with a script that starts it beside whatever Imager writes. Raises `CardError`.

    secrets: the keys of the packed configuration that contain a secret.
    """
    _write_card_file(top / FOLDER, found, made_for=None, read_only=False)
    shutil.copyfile(FILES / "card" / UNIT, top / FOLDER / Path(UNIT).name)
    shutil.copyfile(FILES / "card" / VENDOR_DATA, top / VENDOR_DATA)
    try:
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as packed:  # wheels are already compressed
            for path in sorted(top.rglob("*")):
                if path.is_file():
                    packed.write(path, path.relative_to(top).as_posix())
    except OSError as error:
        raise CardError(f"{archive} cannot be written: {error.strerror}.") from error
    say(
        f"{archive}: {archive.stat().st_size / 1e6:.0f} MB, "
        + (
            f"with what your configuration says of {', '.join(secrets)}: whoever has it can read that."
            if secrets
            else "with no secret in it."
        ),
        "Write Raspberry Pi OS Lite (64 bit) with Raspberry Pi Imager, which asks for the Wi-Fi. Unpack the archive,",
        f"and copy {FOLDER} and {VENDOR_DATA} to the card (bootfs). Some minutes after its first start the page is at",
        "    http://perudo.local/",
        f"and {CARDS_FILE} is on the card, to print: it has the table's code and the box's own Wi-Fi.",
    )


def _seed(
    boot: BootPartition,
    name: str,
    wifi: HomeWifi | None,
    country: str | None,
    timezone: str | None,
    admin: str | None,
    *,
    read_only: bool,
) -> dict[str, str]:
    """The firmware's and cloud-init's files for one card: name -> text. Raises `CardError`."""
    instance = f"perudo-{random.SystemRandom().randbytes(8).hex()}"
    texts = {
        "user-data": user_data(name, ssh_key=admin, timezone=timezone, read_only=read_only),
        "network-config": network_config(wifi, country),
        "meta-data": meta_data(instance),
    }
    if (line := boot.read("cmdline.txt")) is not None:
        texts["cmdline.txt"] = command_line(line, instance, country, read_only=read_only)
    elif read_only:
        raise CardError("--read-only has to change cmdline.txt: name a boot partition that has one, or an image.")
    if (firmware := boot.read("config.txt")) is not None:
        texts["config.txt"] = firmware_config(firmware)
    return texts


def _check_image(boot: BootPartition) -> None:
    """Raise `CardError` if the system on the card would not read `SEED`. A new folder has no system yet."""
    preseed = boot.read("rpi-preseed.toml") is not None
    if preseed or (boot.read("cmdline.txt") is not None and all(boot.read(name) is None for name in SEED)):
        raise CardError(
            "This Raspberry Pi OS has no cloud-init"
            + (", but rpi-preseed" if preseed else "")
            + ": nothing was changed. Take a Raspberry Pi OS Lite (64 bit) whose first partition has "
            + f"{', '.join(SEED)}."
        )


def _network(name: str, password: str | None, *, hidden: bool) -> HomeWifi:
    if password is None:
        password = click.prompt(f"Password of {name} (none: an open network)", "", hide_input=True, show_default=False)
    return HomeWifi(name, password, hidden)


def _config_text(config: Path | None, language: str | None) -> str:
    text = default_text() if config is None else config.read_text(encoding="utf-8")
    if language is not None and config is None:
        text = re.sub(r"^#? ?language = .*$", f'language = "{language}"', text, count=1, flags=re.M)
    return text


def _key(ssh_key: Path | None) -> str | None:
    if ssh_key is None:
        return None
    text = ssh_key.read_text(encoding="utf-8").strip()
    if not re.fullmatch(r"(ssh-|ecdsa-|sk-)\S+ \S+.*", text):
        raise CardError(f"{ssh_key} is no public key of OpenSSH: name the file that ends in .pub.")
    return text


def _own_key() -> Path:
    """The user's release key, created if there is none."""
    key = Path(platformdirs.user_config_dir("perudo")) / "release-key"
    if not key.exists():
        key.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "perudo releases", "-f", str(key)], check=True
        )
        say(f"A key that signs releases for your boxes: {key}. Keep it; an update has to be signed with it.")
    return key


def _public(key: Path) -> str:
    public = key.with_name(f"{key.name}.pub")
    try:
        return public.read_text(encoding="utf-8")
    except OSError as error:
        raise CardError(f"{public}, the public half of the key, cannot be read: {error.strerror}.") from error


def _timezone() -> str | None:
    """This machine's time zone, as stored by Debian."""
    link = Path("/etc/localtime")
    found = re.search(r"zoneinfo/([A-Za-z_]+(?:/[A-Za-z_+-]+)*)$", str(link.resolve())) if link.is_symlink() else None
    return found[1] if found else None
