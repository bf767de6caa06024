"""The systemd unit of the box, and its Avahi service file.

What the camera and the pins need of /dev, with sources:

- libcamera opens /dev/media*, /dev/video* and /dev/v4l-subdev*, and takes its buffers from /dev/dma_heap/vidbuf_cached,
  linux,cma or system (libcamera, src/libcamera/dma_buf_allocator.cpp). It finds cameras by libudev, whose monitor is a
  netlink socket, hence AF_NETLINK.
- lgpio, through which gpiozero works, opens /dev/gpiochip*, and makes a pipe in its working folder, which $LG_WD names
  (github.com/joan2937/lg/issues/12, github.com/gpiozero/gpiozero/issues/1106). gpiozero's other libraries map
  /dev/gpiomem*. gpiozero learns the model of the Pi from /proc, so ProcSubset=pid cannot be had.
- Raspberry Pi OS gives video and dma_heap to the group video, gpiochip and gpiomem to gpio, spidev to spi,
  i2c-dev to i2c (raspberrypi-sys-mods, 99-com.rules).

Left out on purpose: PrivateDevices and PrivateUsers, which hide those devices or their groups; MemoryDenyWriteExecute,
untested with the Pi's libcamera; IPAddressDeny, which would shut out phones in a house with public addresses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

NAME: Final = "perudo"
"""Of the service, its user, and its folders under /etc and /var/lib."""

CONFIG_FILE: Final = f"/etc/{NAME}/perudo.toml"

WATCHDOG: Final = 30
"""Seconds without a ping after which systemd restarts the program."""

PRIVILEGED_PORTS: Final = range(1, 1024)
"""Listening on these takes root, or CAP_NET_BIND_SERVICE."""

DEVICES: Final = (
    ("char-video4linux", "/dev/video*, /dev/v4l-subdev*: cameras, USB ones too"),
    ("char-media", "/dev/media*: how the parts of a camera hang together"),
    ("char-dma_heap", "/dev/dma_heap/*: the camera's buffers"),
    ("char-gpiochip", "/dev/gpiochip*: the panel"),
    ("char-*gpiomem*", "/dev/gpiomem*: the panel, by gpiozero's other libraries"),
    ("char-spi", "/dev/spidev*: the LED matrix"),
    ("char-i2c", "/dev/i2c-*: an OLED"),
)
"""Groups of devices, named as in /proc/devices, and what for. systemd skips those that this kernel does not have."""


@dataclass(frozen=True, slots=True)
class Service:
    """What can be chosen about the service."""

    program: str
    """The absolute path of the `perudo` command."""
    config: str = CONFIG_FILE
    user: str = NAME
    port: int | None = None
    """Wins over the configuration's, unless it is None."""
    low_port: bool = False
    """Whether the port, the configuration's too, is one of `PRIVILEGED_PORTS`."""
    at_home: tuple[str, ...] = ()
    """Folders under /home or /root that the service sees; everything else there stays hidden."""


_HEAD: Final = (
    "# Written by `perudo install-service`, which writes it anew: changes belong in a drop-in, which",
    f"# `systemctl edit {NAME}` makes. `perudo install-service --remove` takes it away.",
)

_UNIT: Final = (
    "[Unit]",
    "Description=Perudo companion: reads the dice on the table and judges",
    "# No network is waited for: the page is there once there is one, and the panel works without.",
    "After=network.target",
    "# So that the cameras' groups of devices are known below, and a USB camera may come later.",
    "Wants=modprobe@videodev.service",
    "After=modprobe@videodev.service",
    "# A box on a shelf has nobody to start it again: it never gives up.",
    "StartLimitIntervalSec=0",
)

_SANDBOX: Final = (
    "PrivateTmp=yes",
    "PrivateMounts=yes",
    "ProtectClock=yes",
    "ProtectControlGroups=yes",
    "ProtectHostname=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
    "ProtectProc=invisible",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
    "RestrictNamespaces=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "RemoveIPC=yes",
    "KeyringMode=private",
    "LockPersonality=yes",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallFilter=~@privileged",
    "SystemCallErrorNumber=EPERM",
)


def unit_text(service: Service) -> str:
    """The text of the unit file."""
    port = [] if service.port is None else [f"Environment=PERUDO_WEB_PORT={service.port}"]
    low = "CAP_NET_BIND_SERVICE" if service.low_port else ""
    if service.at_home:
        home = [
            "# The program lives in somebody's home: of all homes only these folders are to be seen.",
            "ProtectHome=tmpfs",
            *(f"BindReadOnlyPaths={_quoted(folder)}" for folder in service.at_home),
        ]
    else:
        home = ["ProtectHome=yes"]
    return _text(
        _HEAD,
        _UNIT,
        (
            "[Service]",
            "Type=notify",
            f"ExecStart={_quoted(service.program)} run",
            f"Environment=PERUDO_CONFIG={service.config}",
            *port,
            "# lgpio puts a pipe into its working folder.",
            f"Environment=LG_WD=/run/{NAME}",
            "Environment=PYTHONUNBUFFERED=1 PYTHONFAULTHANDLER=1",
            f"User={service.user}",
            f"StateDirectory={NAME}",
            "StateDirectoryMode=0750",
            f"RuntimeDirectory={NAME}",
            f"WorkingDirectory=/run/{NAME}",
            "UMask=0077",
            "Restart=always",
            "RestartSec=5",
            "# The program is read from a memory card, and the oldest Pi is slow.",
            "TimeoutStartSec=180",
            f"WatchdogSec={WATCHDOG}",
            "TimeoutStopSec=20",
            "LimitCORE=0",
        ),
        (
            "# What it may touch of /dev: the camera, the panel, its display.",
            "DevicePolicy=closed",
            *(f"DeviceAllow={group} rw" for group, _ in DEVICES),
        ),
        (
            "# What it may not.",
            f"CapabilityBoundingSet={low}",
            f"AmbientCapabilities={low}",
            "NoNewPrivileges=yes",
            "ProtectSystem=strict",
            *home,
            *_SANDBOX,
        ),
        ("[Install]", "WantedBy=multi-user.target"),
    )


def avahi_text(port: int) -> str:
    """The text of the file by which Avahi announces the page."""
    lines = (
        '<?xml version="1.0" standalone="no"?>',
        '<!DOCTYPE service-group SYSTEM "avahi-service.dtd">',
        "<!-- Written by `perudo install-service`. -->",
        "<service-group>",
        f'  <name replace-wildcards="yes">{escape("Perudo on %h")}</name>',
        "  <service>",
        "    <type>_http._tcp</type>",
        f"    <port>{port}</port>",
        "    <txt-record>path=/</txt-record>",
        "  </service>",
        "</service-group>",
    )
    return "\n".join(lines) + "\n"


def _quoted(path: str) -> str:
    """A path for systemd.syntax(7). `check_installation` lets no special character through but the space."""
    return f'"{path}"' if " " in path else path


def _text(*paragraphs: Sequence[str]) -> str:
    return "\n\n".join("\n".join(lines) for lines in paragraphs) + "\n"
