"""The seed of the first start: cloud-init's `user-data`, `network-config`, `meta-data`, and the kernel's command line.

Raspberry Pi OS 13 reads them from the boot partition (cloud-init's NoCloud, with `seedfrom: file:///boot/firmware`).
They are JSON, which is YAML too, so nothing has to be quoted in a second way.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from companion.box.service import FILES

FOLDER: Final = "perudo"
"""Our folder on the boot partition, which is /boot/firmware on the Pi."""
ADMIN: Final = "perudo-admin"
"""The user of the key given with --ssh-key; the service has another, who cannot log in."""

UNIT: Final = "etc/systemd/system/perudo-first-start.service"
"""What sets the box up, and tries again until it has: companion/box/files/card."""


@dataclass(frozen=True, slots=True)
class HomeWifi:
    """A network that the box joins. Raises `ValueError` if there can be none such."""

    name: str
    password: str
    """Of WPA2 or WPA3; or the key of a WPA2 network, 64 hexadecimal digits; "" for an open network."""
    hidden: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.name.encode()) <= 32:
            raise ValueError("A network's name has 1 to 32 bytes.")
        if self.password and not self.has_key and not re.fullmatch("[ -~]{8,63}", self.password):
            raise ValueError("A Wi-Fi password has 8 to 63 letters, digits and signs.")

    @property
    def has_key(self) -> bool:
        """Whether the password is WPA2's key itself."""
        return re.fullmatch("[0-9A-Fa-f]{64}", self.password) is not None


def user_data(name: str, *, ssh_key: str | None, timezone: str | None, read_only: bool) -> str:
    """What cloud-init does at the first start. `ssh_key`: a public key that may log in; None: nobody may."""
    admin: dict[str, object] = {"name": ADMIN, "shell": "/bin/bash", "lock_passwd": True}
    if ssh_key is not None:
        admin |= {"sudo": "ALL=(ALL) NOPASSWD:ALL", "ssh_authorized_keys": [ssh_key]}
    ssh = "enable" if ssh_key is not None else "disable"
    values: dict[str, object] = {
        "hostname": name,
        "manage_etc_hosts": True,
        "ssh_pwauth": False,
        "users": [admin],
        "write_files": [
            {
                "path": f"/{UNIT}",
                "content": (FILES / "card" / UNIT).read_text(encoding="utf-8"),
            },
        ],
        "runcmd": [
            # Raspberry Pi OS would ask on the screen for a user and a password.
            ["sh", "-c", "systemctl disable --now userconfig.service 2>/dev/null || true"],
            ["sh", "-c", f"systemctl {ssh} --now ssh.service 2>/dev/null || true"],
            ["systemctl", "enable", "perudo-first-start.service"],
            ["systemctl", "start", "--no-block", "perudo-first-start.service"],
        ],
    }
    if timezone is not None:
        values["timezone"] = timezone
    if read_only:  # the rest of the card is for the games
        values |= {"growpart": {"mode": "off"}, "resize_rootfs": False}
    return f"#cloud-config\n{_yaml(values)}\n"


def network_config(wifi: HomeWifi | None, country: str | None) -> str:
    """The networks: a cable, and `wifi`. `country` is two letters of ISO 3166."""
    # NetworkManager is content with one of both, whichever comes first.
    addresses: dict[str, object] = {"dhcp4": True, "dhcp6": True, "optional": True}
    values: dict[str, object] = {"version": 2, "ethernets": {"eth0": {"match": {"name": "e*"}, **addresses}}}
    if wifi is not None:
        radio = {"match": {"name": "wlan0"}, **addresses, **({"regulatory-domain": country} if country else {})}
        values["wifis"] = {
            profile: {**radio, "access-points": {wifi.name: {**point, **({"hidden": True} if wifi.hidden else {})}}}
            for profile, point in _profiles(wifi).items()
        }
    return _yaml({"network": values}) + "\n"


def _profiles(wifi: HomeWifi) -> dict[str, dict[str, object]]:
    """What NetworkManager is told of `wifi`, by the profile's name for netplan.

    NetworkManager offers SAE with a password of WPA2, too, but tries such a profile only where WPA2 is spoken: one of
    WPA3 alone needs a profile of its own.
    """
    shown: dict[str, object] = {"name": wifi.name}
    if not wifi.password:
        return {"wlan0": {"networkmanager": shown}}
    profiles: dict[str, dict[str, object]] = {"wlan0": {"password": wifi.password, "networkmanager": shown}}
    if not wifi.has_key:
        profiles["wlan0-wpa3"] = {
            "auth": {"key-management": "sae", "password": wifi.password},
            "networkmanager": {**shown, "passthrough": {"connection.autoconnect-priority": "-1"}},
        }
    return profiles


def _yaml(values: object) -> str:
    """JSON whose unprintable characters are escaped: YAML refuses DEL, and takes NEL and U+2028 for line ends.

    The others stay: YAML reads JSON's pair of surrogates, for an emoji, as two characters.
    """
    text = json.dumps(values, indent=1, ensure_ascii=False)
    escaped = (f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}" for char in text)
    return "".join(
        char if char.isprintable() or char == "\n" else code for char, code in zip(text, escaped, strict=True)
    )


def meta_data(instance: str) -> str:
    """`instance`: unlike that of every other card, so that cloud-init sees a first start."""
    return json.dumps({"dsmode": "local", "instance-id": instance}) + "\n"


def command_line(text: str, instance: str, country: str | None, *, read_only: bool) -> str:
    """The kernel's command line `text` with our parameters."""
    ours = re.compile(r"ds=nocloud.*|cfg80211\.ieee80211_regdom=.*" + (r"|resize" if read_only else ""))
    words = [word for word in text.split() if not ours.fullmatch(word)]
    if country:
        words.append(f"cfg80211.ieee80211_regdom={country}")
    return " ".join([*words, f"ds=nocloud;i={instance}"]) + "\n"


def firmware_config(text: str) -> str:
    """The firmware's `config.txt` with the buses of the panel's displays switched on."""
    wanted = [line for line in ("dtparam=spi=on", "dtparam=i2c_arm=on") if f"\n{line}\n" not in f"\n{text}\n"]
    return text.rstrip("\n") + "\n\n[all]\n" + "\n".join(wanted) + "\n" if wanted else text
