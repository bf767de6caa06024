"""The systemd unit of the box, and its Avahi service file.

What the camera and the panel need of /dev, with sources:

- libcamera opens /dev/media*, /dev/video* and /dev/v4l-subdev*, and takes its buffers from /dev/dma_heap/vidbuf_cached,
  linux,cma or system (libcamera, src/libcamera/dma_buf_allocator.cpp). It finds cameras by libudev, whose monitor is a
  netlink socket, hence AF_NETLINK.
- lgpio, through which gpiozero works, opens /dev/gpiochip*, and makes a pipe in its working folder, which $LG_WD names
  (github.com/joan2937/lg/issues/12, github.com/gpiozero/gpiozero/issues/1106). gpiozero's other libraries map
  /dev/gpiomem*. gpiozero learns the model of the Pi from /proc, so ProcSubset=pid cannot be had.
- The LED matrix is at /dev/spidev*, an OLED at /dev/i2c-*.
- Raspberry Pi OS gives video and dma_heap to the group video, gpiochip and gpiomem to gpio, spidev to spi,
  i2c-dev to i2c (raspberrypi-sys-mods, 99-com.rules).

DeviceAllow= names groups of devices as /proc/devices does. systemd skips those that this kernel does not have.

Left out on purpose: PrivateDevices and PrivateUsers, which hide those devices or their groups; MemoryDenyWriteExecute,
untested with the Pi's libcamera; IPAddressDeny, which would shut out phones in a house with public addresses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.box.release.versions import PLACE, ROLL_BACK, SERVICE_TRIAL

NAME: Final = "perudo"
"""The name of the service, its user, and its folders under /etc and /var/lib."""

CONFIG_FILE: Final = f"/etc/{NAME}/perudo.toml"

HOTSPOT_ADDRESS: Final = "10.42.0.1"
"""The box's address on its own Wi-Fi."""

ROLL_BACK_UNIT: Final = f"{NAME}-roll-back.service"
CARETAKER_UNIT: Final = f"{NAME}-caretaker.service"
CARETAKER_PATH_UNIT: Final = f"{NAME}-caretaker.path"

PRIVILEGED_PORTS: Final = range(1, 1024)
"""Listening on these takes root, or CAP_NET_BIND_SERVICE."""


@dataclass(frozen=True, slots=True)
class Service:
    """The choices to make about the service."""

    program: str
    """The absolute path of the `perudo` command."""
    port: int | None = None
    """The port of --port, which wins over the configuration's."""
    low_port: bool = False
    """Whether the page's port, given or configured, or that of https is one of `PRIVILEGED_PORTS`."""
    at_home: tuple[str, ...] = ()
    """Folders under /home or /root that the service sees; everything else there stays hidden."""
    versions: bool = False
    """Whether the program is one of several versions side by side, so that systemd can take the one before again."""


def unit_text(service: Service) -> str:
    """The text of the unit file."""
    home = ["ProtectHome=yes"]
    if service.at_home:
        home = [
            "# The program lives in somebody's home: of all homes only these folders are to be seen.",
            "ProtectHome=tmpfs",
            *(f"BindReadOnlyPaths={quoted(folder)}" for folder in service.at_home),
        ]
    return _UNIT.format(
        name=NAME,
        program=quoted(service.program),
        config=CONFIG_FILE,
        port="" if service.port is None else f"\nEnvironment=PERUDO_WEB_PORT={service.port}",
        capability="CAP_NET_BIND_SERVICE" if service.low_port else "",
        home="\n".join(home),
        sandbox=SANDBOX,
        on_failure=f"\nOnFailure={ROLL_BACK_UNIT}" if service.versions else "",
        trial=f"\n{_TRIAL.format(trial=SERVICE_TRIAL)}" if service.versions else "",
    )


def roll_back_text() -> str:
    """The text of the unit that takes the version before again, if the service fails while a new one is on trial."""
    return _ROLL_BACK.format(place=PLACE, roll_back=ROLL_BACK)


def caretaker_text(python: str) -> str:
    """The text of the unit that carries out what the service may ask of root. `python`: the program's own."""
    return _CARETAKER.format(name=NAME, python=quoted(python))


def caretaker_path_text() -> str:
    """The text of the unit that starts the caretaker when the service has asked something."""
    return _CARETAKER_PATH.format(name=NAME)


def avahi_text(port: int) -> str:
    """The text of the file by which Avahi announces the page."""
    return _AVAHI.format(port=port)


def polkit_text() -> str:
    """The text of the file by which polkit lets the service switch the machine off and choose the Wi-Fi, no more."""
    return _POLKIT.format(name=NAME).replace("<<", "{").replace(">>", "}")


def dnsmasq_text() -> str:
    """The text of the file by which, on the box's own Wi-Fi, every name leads to the box: phones then open its page."""
    return _DNSMASQ.format(address=HOTSPOT_ADDRESS)


def quoted(path: str) -> str:
    """A path for systemd.syntax(7). `check_installation` lets no special character through but the space."""
    return f'"{path}"' if " " in path else path


SANDBOX: Final = """\
PrivateTmp=yes
PrivateMounts=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RemoveIPC=yes
KeyringMode=private
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
"""
"""What neither the box nor a club's hub may do: lines of systemd.exec(5)."""

_UNIT: Final = """\
# Written by `perudo install-service`, which writes it anew: changes belong in a drop-in, which
# `systemctl edit {name}` makes. `perudo install-service --remove` takes it away.

[Unit]
Description=Perudo companion: reads the dice on the table and judges
# No network is waited for: the page is there once there is one, and the panel works without.
After=network.target
# So that the cameras' groups of devices are known below, and a USB camera may come later.
Wants=modprobe@videodev.service
After=modprobe@videodev.service
# A box on a shelf has nobody to start it again: it never gives up.
StartLimitIntervalSec=0{on_failure}

[Service]
Type=notify
ExecStart={program} run{trial}
Environment=PERUDO_CONFIG={config}{port}
# lgpio puts a pipe into its working folder.
Environment=LG_WD=/run/{name}
Environment=PYTHONUNBUFFERED=1 PYTHONFAULTHANDLER=1
User={name}
StateDirectory={name}
StateDirectoryMode=0750
RuntimeDirectory={name}
WorkingDirectory=/run/{name}
UMask=0077
Restart=always
RestartSec=5
# The program is read from a memory card, and the oldest Pi is slow.
TimeoutStartSec=180
WatchdogSec=30
TimeoutStopSec=20
LimitCORE=0

# What it may touch of /dev: the camera, the panel, its display.
DevicePolicy=closed
DeviceAllow=char-video4linux rw
DeviceAllow=char-media rw
DeviceAllow=char-dma_heap rw
DeviceAllow=char-gpiochip rw
DeviceAllow=char-*gpiomem* rw
DeviceAllow=char-spi rw
DeviceAllow=char-i2c rw

# What it may not.
CapabilityBoundingSet={capability}
AmbientCapabilities={capability}
NoNewPrivileges=yes
ProtectSystem=strict
{home}
{sandbox}
[Install]
WantedBy=multi-user.target
"""

_AVAHI: Final = """\
<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<!-- Written by `perudo install-service`. -->
<service-group>
  <name replace-wildcards="yes">Perudo on %h</name>
  <service>
    <type>_http._tcp</type>
    <port>{port}</port>
    <txt-record>path=/</txt-record>
  </service>
</service-group>
"""

_POLKIT: Final = """\
// Written by `perudo install-service`: holding both buttons of the panel switches the box off, and a phone chooses
// the Wi-Fi of the box.
polkit.addRule(function(action, subject) <<
    if (subject.user == "{name}" && (action.id == "org.freedesktop.login1.power-off" ||
                                     action.id == "org.freedesktop.login1.power-off-multiple-sessions" ||
                                     action.id == "org.freedesktop.NetworkManager.network-control" ||
                                     action.id == "org.freedesktop.NetworkManager.settings.modify.system" ||
                                     action.id == "org.freedesktop.NetworkManager.wifi.scan" ||
                                     action.id == "org.freedesktop.NetworkManager.wifi.share.protected"))
        return polkit.Result.YES;
>>);
"""

_TRIAL: Final = """\
# A new version has passed once it answers. With root's rights: the versions are root's.
ExecStartPost=+-/bin/sh -c '{trial}'"""

_ROLL_BACK: Final = """\
# Written by `perudo install-service`: a new version that does not answer within three minutes is not kept.

[Unit]
Description=Take the version of the Perudo companion before again
ConditionPathIsSymbolicLink={place}/trial
ConditionPathIsSymbolicLink={place}/before

[Service]
Type=oneshot
ExecStart=/bin/sh -c '{roll_back}'
"""

_CARETAKER: Final = """\
# Written by `perudo install-service`: what the box does as root when the host asks for it on the page.

[Unit]
Description=Caretaker of the Perudo box
# It starts the service anew, and must not be stopped with it.
After=network.target

[Service]
Type=oneshot
ExecStart={python} -m companion.box.caretaker
RuntimeDirectory={name}-caretaker
RuntimeDirectoryPreserve=yes
TimeoutStartSec=1800
"""

_CARETAKER_PATH: Final = """\
# Written by `perudo install-service`.

[Unit]
Description=Requests to the caretaker of the Perudo box

[Path]
PathExists=/var/lib/{name}/request.json

[Install]
WantedBy=multi-user.target
"""

_DNSMASQ: Final = """\
# Written by `perudo install-service`: on the box's own Wi-Fi every name leads to the box.
address=/#/{address}
"""
