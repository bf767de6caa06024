"""What the doctor makes of what it finds: facts of machines that nobody has here, and what is said about them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.box.doctor import parts, system
from companion.box.doctor.diagnosis import Diagnosis, Severity
from companion.box.doctor.parts import CameraAnswer, DeviceNode, LibraryImport, PinsAnswer
from companion.box.doctor.system import PagePort, StateDisk

EVENING = datetime(2026, 11, 21, 20, 15, tzinfo=UTC)
GIB = 2**30


def only(checks: Iterator[Diagnosis]) -> Diagnosis:
    (check,) = checks
    return check


# The machine


def test_an_old_python_and_a_system_of_32_bits_are_told() -> None:
    python, processor = system.python((3, 9, 2), "armv7l", 32, "/usr/bin/python3")
    assert python.severity is Severity.BAD
    assert "3.11 or newer" in python.sentence
    assert processor.severity is Severity.POOR
    assert "64-bit Raspberry Pi OS" in processor.sentence


def test_a_pi_of_64_bits_is_well_and_a_strange_processor_is_named() -> None:
    assert [check.severity for check in system.python((3, 11, 2), "aarch64", 64, "py")] == [
        Severity.GOOD,
        Severity.GOOD,
    ]
    assert "riscv64" in list(system.python((3, 11, 2), "riscv64", 64, "py"))[1].sentence


@pytest.mark.parametrize(
    ("found", "finding", "said"),
    [
        (StateDisk("/var/lib/perudo", 20 * GIB), Severity.GOOD, "20.0 GiB free"),
        (StateDisk("/var/lib/perudo", GIB // 2), Severity.POOR, "make room"),
        (StateDisk("/var/lib/perudo", 1000), Severity.BAD, "does not last an evening"),
        (StateDisk("/var/lib/perudo", 20 * GIB, "Read-only file system"), Severity.BAD, "Read-only file system"),
        (
            StateDisk("/var/lib/perudo", 20 * GIB, "Permission denied", True),
            Severity.ABSENT,
            "sudo .venv/bin/perudo doctor",
        ),
    ],
)
def test_the_disk(found: StateDisk, finding: Severity, said: str) -> None:
    check = only(system.disk(found))
    assert check.severity is finding
    assert said in check.sentence


@pytest.mark.parametrize(
    ("now", "synced", "finding"),
    [
        (EVENING, True, Severity.GOOD),
        (EVENING, None, Severity.GOOD),  # nobody knows
        (EVENING, False, Severity.POOR),
        (datetime(1970, 1, 1, tzinfo=UTC), None, Severity.POOR),
        (datetime(1970, 1, 1, tzinfo=UTC), True, Severity.POOR),
    ],
)
def test_the_clock(now: datetime, synced: bool | None, finding: Severity) -> None:
    check = only(system.clock(now, synced))
    assert check.severity is finding
    assert f"{now.year}-" in check.sentence


@pytest.mark.parametrize(
    ("answer", "finding", "said", "unsaid"),
    [
        ("throttled=0x0\n", Severity.GOOD, "enough voltage", "0x"),
        ("throttled=0x50005\n", Severity.POOR, "The voltage is too low now", "was too low"),
        ("throttled=0x50000\n", Severity.POOR, "The voltage was too low since", "now"),
        ("throttled=0x80008\n", Severity.POOR, "heat sink", "power supply"),
        ("throttled=0xe0000\n", Severity.POOR, "slowed down since then", "now"),
        ("VCHI initialization failed\n", Severity.POOR, "cannot be understood", "Undervoltage"),
        (None, Severity.ABSENT, "only a Raspberry Pi has it", "0x"),
    ],
)
def test_the_bits_of_vcgencmd_in_words(answer: str | None, finding: Severity, said: str, unsaid: str) -> None:
    check = only(system.power(answer))
    assert check.severity is finding
    assert said in check.sentence
    assert unsaid not in check.sentence


@pytest.mark.parametrize(
    ("found", "finding", "said"),
    [
        (PagePort("0.0.0.0", 8000), Severity.GOOD, "is free"),
        (PagePort("0.0.0.0", 8000, "Address already in use", ours=True), Severity.GOOD, "the box is running"),
        (
            PagePort("0.0.0.0", 8000, "Address already in use", "nginx (process 7)"),
            Severity.BAD,
            "taken by nginx (process 7)",
        ),
        (PagePort("0.0.0.0", 80, "Permission denied"), Severity.BAD, "another port in [web]"),
    ],
)
def test_the_port(found: PagePort, finding: Severity, said: str) -> None:
    check = only(system.port(found))
    assert check.severity is finding
    assert said in check.sentence


# The parts


def test_a_package_that_is_not_ours_is_named_with_its_place() -> None:
    home = Path("/opt/perudo")
    origins = {"vision": home / "vision", "web": Path("/usr/lib/python3/dist-packages/web"), "hardware": None}
    vision, web, hardware = parts.packages(origins, home)
    assert vision.severity is Severity.GOOD
    assert web.severity is hardware.severity is Severity.BAD
    assert "another package of this name, /usr/lib/python3/dist-packages/web" in web.sentence


def test_what_does_not_import_must_be_mended_but_for_picamera2_that_need_not_be_there() -> None:
    found = {
        "numpy": LibraryImport("2.4.6"),
        "cv2": LibraryImport(error="libGL.so.1: cannot open shared object file"),
        "flask": LibraryImport(missing=True),
        "picamera2": LibraryImport(missing=True),
    }
    checks = list(parts.libraries(found))
    assert [check.severity for check in checks] == [Severity.GOOD, Severity.BAD, Severity.BAD, Severity.ABSENT]
    assert "libGL.so.1" in checks[1].sentence
    assert "apt install python3-picamera2" in checks[3].sentence


def test_a_picamera2_that_is_there_and_breaks_must_be_mended() -> None:
    check = only(parts.libraries({"picamera2": LibraryImport(error="No module named 'libcamera'")}))
    assert check.severity is Severity.BAD


def test_a_numpy_that_picamera2_cannot_live_with_is_told_with_the_cure() -> None:
    said = "Traceback ...\nValueError: numpy.dtype size changed, may indicate binary incompatibility."
    check = only(parts.together(1, said))
    assert check.severity is Severity.BAD
    assert "numpy.dtype size changed" in check.sentence
    assert "Traceback" not in check.sentence
    assert "remove .venv" in check.sentence
    assert only(parts.together(-11, "")).severity is Severity.BAD  # it took the interpreter with it
    assert only(parts.together(0, "")).severity is Severity.GOOD
    assert list(parts.together(None, "")) == []


def test_a_damaged_network_is_named_even_when_it_still_reads() -> None:
    model, reader = parts.networks({"detector.onnx": "is not what was published"}, 12.0, "")
    assert model.severity is Severity.BAD
    assert "detector.onnx is not what was published" in model.sentence
    assert reader.severity is Severity.GOOD
    _, reader = parts.networks({}, None, "no such layer")
    assert (reader.severity, "no such layer" in reader.sentence) == (Severity.BAD, True)


def test_devices_of_a_group_one_is_not_in_are_told_with_the_command() -> None:
    nodes = [DeviceNode("/dev/gpiochip0", "gpio", False), DeviceNode("/dev/gpiochip1", "gpio", False)]
    check = only(parts.devices("gpio", nodes, "ana", "none"))
    assert check.severity is Severity.POOR
    assert "sudo usermod -aG gpio ana" in check.sentence
    root = only(parts.devices("video", [DeviceNode("/dev/video0", "root", False)], "ana", "none"))
    assert "usermod" not in root.sentence
    assert (
        only(parts.devices("gpio", [DeviceNode("/dev/gpiochip0", "gpio", True)], "ana", "")).severity is Severity.GOOD
    )
    assert only(parts.devices("gpio", [], "ana", "there are none")).sentence == "there are none"


def test_a_camera_tells_its_sizes_and_what_its_sensor_can() -> None:
    pi = CameraAnswer("pi", "Raspberry Pi camera imx708", (2304, 1296), (640, 360), ("4608 x 2592 (10 bits)",))
    check = only(parts.cameras([pi], running=False))
    assert check.severity is Severity.GOOD
    assert check.sentence == (
        "Raspberry Pi camera imx708: pictures of 2304 x 1296, previews of 640 x 360; its sensor "
        "has 4608 x 2592 (10 bits)"
    )


def test_a_camera_that_the_running_box_has_is_no_fault() -> None:
    taken = CameraAnswer("pi", absent="It is there but did not start.")
    assert "systemctl stop perudo" in only(parts.cameras([taken], running=True)).sentence
    assert "systemctl" not in only(parts.cameras([taken], running=False)).sentence
    assert only(parts.cameras([CameraAnswer("webcam", broken="no frames")], running=False)).severity is Severity.BAD


def test_the_pins_tell_by_which_library_they_are_reached() -> None:
    assert "LGPIOFactory" in only(parts.pins(PinsAnswer("LGPIOFactory"), running=False, chip=True)).sentence
    nothing = PinsAnswer(refused="no pins")
    assert only(parts.pins(nothing, running=False, chip=False)) == Diagnosis("pins", Severity.ABSENT, "no pins")
    assert "systemctl stop perudo" in only(parts.pins(nothing, running=True, chip=True)).sentence
    unreached = only(parts.pins(nothing, running=False, chip=True))
    assert (unreached.severity, "apt install python3-lgpio" in unreached.sentence) == (Severity.POOR, True)


def test_every_mistake_of_the_configuration_is_a_line() -> None:
    checks = list(parts.configuration("/etc/perudo/perudo.toml", True, ["line 1: x", "line 2: y"]))
    assert [(check.severity, check.sentence) for check in checks] == [
        (Severity.BAD, "line 1: x"),
        (Severity.BAD, "line 2: y"),
    ]
    assert "everything has its default" in only(parts.configuration("p", False, [])).sentence
    assert only(parts.configuration("p", True, [], private=True)).severity is Severity.ABSENT


def test_the_service() -> None:
    assert only(parts.service(False, "inactive", "")).severity is Severity.ABSENT
    assert "http://" in only(parts.service(True, "active", "http://box.local:8000/ - camera")).sentence
    failed = only(parts.service(True, "activating", ""))
    assert failed.severity is Severity.POOR
    assert "journalctl -u perudo" in failed.sentence


def test_a_line_of_the_report_begins_with_what_was_found() -> None:
    assert str(Diagnosis("web", Severity.GOOD, "/opt/perudo/web")) == " ok  web         /opt/perudo/web"
