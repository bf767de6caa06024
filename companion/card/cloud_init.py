"""Files for the first start: cloud-init's `user-data`, `network-config`, `meta-data`, and the kernel's command line.

Raspberry Pi OS 13 reads them from the boot partition (cloud-init's NoCloud, with `seedfrom: file:///boot/firmware`).
They are written as JSON, which is also YAML, so only JSON's quoting is needed.
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
"""The user who may log in with the key given by --ssh-key; the service has another user, who cannot log in."""

UNIT: Final = "etc/systemd/system/perudo-first-start.service"
"""The systemd unit that sets the box up, retrying until it succeeds: companion/box/files/card."""


@dataclass(frozen=True, slots=True)
class HomeWifi:
    """A Wi-Fi network that the box joins. Raises `ValueError` for an impossible one."""

    name: str
    password: str
    """The password for WPA2 or WPA3; or the key of a WPA2 network, 64 hexadecimal digits; "" for an open network."""
    hidden: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.name.encode()) <= 32:
            raise ValueError("A network's name has 1 to 32 bytes.")
        if self.password and not self.has_key and not re.fullmatch("[ -~]{8,63}", self.password):
            raise ValueError("A Wi-Fi password has 8 to 63 letters, digits and signs.")

    @property
    def has_key(self) -> bool:
        """True if the password is the WPA2 key itself."""
        return re.fullmatch("[0-9A-Fa-f]{64}", self.password) is not None


def user_data(name: str, *, ssh_key: str | None, timezone: str | None, read_only: bool) -> str:
    """What cloud-init does at the first start. `ssh_key`: a public key that may log in; None allows nobody."""
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
            # Raspberry Pi OS would ask for a user and a password on the screen.
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
    """The networks: a cable, and `wifi`. `country` is a two-letter ISO 3166 code."""
    # NetworkManager needs only one of them, whichever comes first.
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
    """NetworkManager profiles for `wifi`, by their names for netplan.

    A WPA2 profile also offers SAE, but NetworkManager only tries it where WPA2 is spoken, so a WPA3-only network needs
    a profile of its own.
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
    """JSON with unprintable characters escaped: YAML refuses DEL, and takes NEL and U+2028 for line ends.

    Printable ones are not escaped: YAML reads JSON's surrogate pairs, for an emoji, as two characters.
    """
    text = json.dumps(values, indent=1, ensure_ascii=False)
    escaped = (f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}" for char in text)
    return "".join(
        char if char.isprintable() or char == "\n" else code for char, code in zip(text, escaped, strict=True)
    )


def meta_data(instance: str) -> str:
    """`instance`: different for every card, so that cloud-init recognises a first start."""
    return json.dumps({"dsmode": "local", "instance-id": instance}) + "\n"


def command_line(text: str, instance: str, country: str | None, *, read_only: bool) -> str:
    """Add our parameters to the kernel's command line `text`."""
    ours = re.compile(r"ds=nocloud.*|cfg80211\.ieee80211_regdom=.*" + (r"|resize" if read_only else ""))
    words = [word for word in text.split() if not ours.fullmatch(word)]
    if country:
        words.append(f"cfg80211.ieee80211_regdom={country}")
    return " ".join([*words, f"ds=nocloud;i={instance}"]) + "\n"


def firmware_config(text: str) -> str:
    """Switch on the buses of the panel's displays in the firmware's `config.txt`."""
    wanted = [line for line in ("dtparam=spi=on", "dtparam=i2c_arm=on") if f"\n{line}\n" not in f"\n{text}\n"]
    return text.rstrip("\n") + "\n\n[all]\n" + "\n".join(wanted) + "\n" if wanted else text
