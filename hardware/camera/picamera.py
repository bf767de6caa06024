"""A Raspberry Pi camera module, through picamera2, which comes from apt and is imported only here."""

from __future__ import annotations

import errno
import logging
import os
import time
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from companion.messages.message import Message
from hardware.camera import sensors
from hardware.camera.flicker import Exposure, flash_period, flicker_free
from hardware.camera.pixel_formats import JPEG, READABLE, BufferLayout, encoding, picture
from hardware.camera.protocol import (
    FRAME_TIMEOUT,
    BaseCamera,
    CameraBusyError,
    CameraError,
    CameraLibraryError,
    Frame,
    Image,
    shrunk,
)
from hardware.camera.settings import CameraSettings

log = logging.getLogger(__name__)

MAST_HEIGHT: Final = 0.75
"""Default distance from the lens to the table in metres. Module 3 is then sharp from 0.65 to 0.9 m."""

NO_FRAME: Final = Message("no frame in time")

FRAME_DURATIONS: Final = (33_333, 66_667)
"""Shortest and longest time of a frame in microseconds: 30 frames a second, and 15 in dim light."""

SLOW_DURATIONS: Final = (250_000, 250_000)
"""The same while nobody waits for a frame: four a second keep a Pi cool, and show a fault within two seconds."""

BUFFERS: Final = 4
LARGE_BUFFERS: Final = 2
LARGE_STILL: Final = 6_000_000
"""In pixels; larger stills get fewer buffers: each of 12 megapixels takes 36 MB of the kernel's memory."""

HIGHLIGHTS: Final = 1
"""libcamera's AeConstraintMode that keeps the brightest parts from being clipped."""

HDR_SENSOR: Final = "imx708"
"""Module 3's sensor, whose HDR mode stays on after the program that switched it on has ended."""


class PiCamera(BaseCamera):
    """A camera module on the ribbon cable. As thread-safe as picamera2.

    For the controls see the picamera2 manual, appendix C, "Camera controls". Only those that the camera has are set.
    """

    sensor = True

    def __init__(self, number: int = 0, settings: CameraSettings = CameraSettings()) -> None:  # noqa: B008 - a frozen value
        """Open camera `number` and apply those `settings` that it has controls for.

        Raises `CameraError` if picamera2 is missing or broken, or there is no such camera; `CameraLibraryError` if
        picamera2 is too old; `CameraBusyError` if the camera is in use.
        """
        try:
            from picamera2 import Picamera2  # noqa: PLC0415 - absent everywhere but on a Pi
        except Exception as error:  # missing, or broken: with pip's numpy 2 apt's simplejpeg raises a ValueError
            raise CameraError(
                Message(
                    "The Raspberry Pi camera needs picamera2: `sudo apt install python3-picamera2`, and a virtual "
                    "environment made with --system-site-packages. (Python says: {reason})",
                    reason=str(error),
                )
            ) from error
        if (message := too_old(Picamera2)) is not None:
            raise CameraLibraryError(message)
        try:
            # libcamera also lists USB cameras, after the Pi's own; `hardware.camera.webcam` is for those.
            found = [camera for camera in Picamera2.global_camera_info() if "/usb" not in str(camera.get("Id", ""))]
        except Exception as error:  # libcamera raises whatever its pipeline raised
            raise CameraError(Message("libcamera could not list the cameras: {reason}", reason=str(error))) from error
        if number >= len(found):
            raise CameraError(
                Message(
                    "There is no Raspberry Pi camera number {number} ({found} found). Switch the Pi off, "
                    "check that the ribbon cable sits straight at both ends, and start again.",
                    number=number,
                    found=len(found),
                )
            )
        model = str(found[number].get("Model", number))
        self.name = Message("Raspberry Pi camera {model}", model=model)
        self._settings = settings
        self._camera: Any = None
        self._stalled = False
        self._fast = True
        self._whole = False
        """The large stream has all pixels of the sensor."""
        self._controls: dict[str, object] = {}
        """The controls that were set: a new configuration starts without any."""
        self.modes: tuple[sensors.SensorMode, ...] = ()
        """The sensor's modes; empty if it lists none."""
        try:
            self._camera = _new_picamera2(Picamera2, number)
            self.modes = self._list_modes()
            if model.startswith(HDR_SENSOR) and sensors.in_hdr(self.modes):
                self._leave_hdr(Picamera2, number)
            self._model = model
            self._configure()
            self._camera.start()
        except Exception as error:
            self._close_after(error)
            reason = str(_cause(error))
            if os.strerror(errno.EBUSY) in reason:
                raise CameraBusyError(
                    Message("{camera} is used by another program. Stop that program.", camera=self.name)
                ) from error
            raise CameraError(
                Message("{camera} is there but did not start: {reason}", camera=self.name, reason=reason)
            ) from error

    def _list_modes(self) -> tuple[sensors.SensorMode, ...]:
        # Only a sensor with a colour filter has raw modes to list, and picamera2 fails if there are none.
        filtered = "ColorFilterArrangement" in self._camera.camera_properties
        return sensors.sensor_modes(self._camera.sensor_modes) if filtered else ()

    def _leave_hdr(self, kind: Any, number: int) -> None:
        """Switch off an HDR mode that another program left on: it halves the picture and blends two exposures."""
        try:
            from picamera2.devices.imx708 import IMX708  # noqa: PLC0415 - comes with picamera2
        except ImportError as error:
            log.warning("%s: its HDR mode is on and stays on (%s)", self.name, error)
            return
        self.close()
        try:
            with IMX708(number) as sensor:
                sensor.set_sensor_hdr_mode(False)
            log.warning("%s: its HDR mode was on, from another program; it was switched off", self.name)
        except Exception as error:  # noqa: BLE001 - the driver's, of a kernel that has no such control
            log.warning("%s: its HDR mode is on and stays on (%s)", self.name, error)
        self._camera = _new_picamera2(kind, number)
        self.modes = self._list_modes()

    def _configure(self) -> None:
        camera, settings, modes = self._camera, self._settings, self.modes
        self.size = still = settings.still or sensors.still_size(self._model, modes)
        if self._whole:
            still = sensors.whole_size(still, modes) or still
        preview = sensors.preview_size(still, settings.preview)
        mode = sensors.mode_for(still, modes)
        # "RGB888" is libcamera's name for bytes in the order blue, green, red: cv2's BGR. The small stream is YUV420
        # because a Pi 4 has no other format for it (picamera2 manual, section 4.2, "Configurations in more detail").
        # There is no raw stream: its buffers would take memory, and the sensor's mode is chosen without it.
        self.buffers = LARGE_BUFFERS if still[0] * still[1] >= LARGE_STILL else BUFFERS
        asked: dict[str, object] = {
            "main": {"format": "RGB888", "size": still},
            "raw": None,
            "buffer_count": self.buffers,
        }
        if preview is not None:
            asked["lores"] = {"format": "YUV420", "size": preview}
        if mode is not None:
            asked["sensor"] = {"output_size": mode.size, "bit_depth": mode.bits}
        if (space := _full_range()) is not None:
            asked["colour_space"] = space
        try:
            camera.configure(camera.create_video_configuration(**asked))
        except RuntimeError:
            if "lores" not in asked:
                raise
            log.info("%s makes no second stream", self.name, exc_info=True)
            del asked["lores"]
            camera.configure(camera.create_video_configuration(**asked))
        self._read_configuration(camera.camera_configuration())
        controls = self._set(self._automatic() | self._controls)
        # Only with the exposure time in the metadata can picamera2 tell which frames began too early.
        self._flushes = "ExposureTime" in camera.camera_controls
        log.info(
            "%s: %s, sensor mode %s, controls set: %s",
            self.name,
            self._layouts,
            mode,
            ", ".join(controls),
        )
        if mode is not None and mode.size[0] * still[1] != mode.size[1] * still[0]:
            log.info("%s: a picture of %s x %s leaves out a part of what the sensor sees", self.name, *still)

    def _read_configuration(self, got: Mapping[str, Any]) -> None:
        """Read the sizes and formats that libcamera chose, which may differ from the requested ones."""
        self._layouts = {}
        for stream in ("main", "lores"):
            if got.get(stream) is not None:
                given = got[stream]
                layout = BufferLayout(str(given["format"]), tuple(given["size"]), int(given["stride"]))
                if layout.format not in READABLE:
                    raise ValueError(f"it gives {layout.format}, which cannot be read")
                self._layouts[stream] = layout
        self._encoding = encoding(got.get("colour_space")) if got.get("colour_space") is not None else JPEG
        self.looks = "lores" in self._layouts
        if not self._whole:
            self.size = self._layouts["main"].size

    def _automatic(self) -> dict[str, object]:
        """The controls for automatic exposure and fixed focus."""
        metres = self._settings.focus or MAST_HEIGHT
        return {
            "FrameDurationLimits": FRAME_DURATIONS if self._fast else SLOW_DURATIONS,
            # White dice on a dark cloth are a small part of the picture, and would be overexposed.
            "AeConstraintMode": HIGHLIGHTS,
            "AeFlickerMode": 1,  # manual, with the period below
            "AeFlickerPeriod": round(flash_period(self._settings.mains)),
            # An autofocus that hunts while the dice are read would blur exactly those frames.
            "AfMode": 0,  # manual
            "LensPosition": self._near("LensPosition", 1 / metres),  # dioptres
        }

    def _near(self, control: str, value: float) -> float:
        """The nearest value that the control accepts."""
        if control not in self._camera.camera_controls:
            return value
        least, most, _ = self._camera.camera_controls[control]
        return float(min(max(value, least), most))

    def _set(self, controls: Mapping[str, object]) -> list[str]:
        """Set those of `controls` that this camera has, and return their names."""
        supported = {name: value for name, value in controls.items() if name in self._camera.camera_controls}
        self._camera.set_controls(supported)
        self._controls |= supported
        return sorted(supported)

    def show_whole(self, whole: bool) -> None:
        """Switch `Frame.whole`, with all pixels of the sensor, on or off. The camera stops and starts again."""
        camera = self._opened()
        if whole == self._whole or sensors.whole_size(self.size, self.modes) is None:
            return
        try:
            camera.stop()
            self._whole = whole
            self._configure()
            camera.start()
        except Exception as error:
            raise CameraError(
                Message("{camera} is there but did not start: {reason}", camera=self.name, reason=str(_cause(error)))
            ) from error

    def set_pace(self, fast: bool) -> None:
        """Give frames as fast as they can be exposed, or slowly. Frames already in the pipeline are not affected."""
        self._opened()
        if fast != self._fast:
            self._fast = fast
            self._set({"FrameDurationLimits": FRAME_DURATIONS if fast else SLOW_DURATIONS})

    @property
    def controls(self) -> list[str]:
        """The names of the camera's controls."""
        return sorted(self._opened().camera_controls)

    def look(self, after: float = 0.0) -> Frame:
        """Like `frame`, with only the small stream: its preview is its image. The large one is not copied."""
        frame, _ = self._next(after, whole=not self.looks)
        return frame

    def measure(self, after: float = 0.0) -> tuple[Frame, Mapping[str, Any]]:
        """Like `frame`, with libcamera's metadata (picamera2 manual, appendix C)."""
        return self._next(after)

    def frame(self, after: float = 0.0) -> Frame:
        """Return the next frame whose exposure began after the monotonic time `after`, in seconds, and after this call.

        `flush=True` drops frames that the pipeline had exposed before. The sensor's time stamp is when the first row is
        read out, which is the end of its exposure (raspberrypi/picamera2, issue 821, and `wait_for_timestamp_` there).
        Raises `CameraError` if none comes in time.
        """
        frame, _ = self._next(after)
        return frame

    def _next(self, after: float, *, whole: bool = True) -> tuple[Frame, Mapping[str, Any]]:
        camera, start = self._opened(), time.monotonic()
        until, came = start + FRAME_TIMEOUT, False
        while (wait := until - time.monotonic()) > 0:
            try:
                with camera.captured_request(wait=wait, flush=self._flushes) as request:
                    came = True
                    metadata = request.get_metadata()
                    at = _ended(metadata)
                    # A frame without a time may have been taken before the press.
                    if at is None or at - metadata.get("ExposureTime", 0) / 1e6 <= max(after, start):
                        continue
                    preview = self._picture(request, "lores") if "lores" in self._layouts else None
                    image = self._picture(request, "main") if whole or preview is None else preview
                    if image is preview or image.shape[1::-1] == self.size:
                        return Frame(image, at, preview, noise=True), metadata
                    return Frame(shrunk(image, self.size), at, preview, image, noise=True), metadata
            except TimeoutError as error:
                self._stalled = True
                raise self._no_frame(NO_FRAME) if came else self._loose_cable() from error
            except Exception as error:
                raise self._no_frame(str(error)) from error
        raise self._no_frame(NO_FRAME)

    def _opened(self) -> Any:
        if self._camera is None:
            raise CameraError(f"{self.name} is closed.")
        return self._camera

    def _no_frame(self, reason: str) -> CameraError:
        return CameraError(Message("{camera} gave no frame: {reason}.", camera=self.name, reason=reason))

    def _loose_cable(self) -> CameraError:
        """The error if not one frame comes: libcamera logs "Camera frontend has timed out" and keeps waiting."""
        return CameraError(
            Message(
                "{camera} sends no picture. Switch the Pi off, check that the ribbon cable sits straight at both ends, "
                "and start again.",
                camera=self.name,
            )
        )

    def _picture(self, request: Any, stream: str) -> Image:
        return picture(request.make_buffer(stream), self._layouts[stream], self._encoding)

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:
        """Lock exposure, gain, white balance and focus, as they are now or at the `values` of an earlier lock.

        Names: exposure (microseconds), gain, red and blue (gains of the white balance), lens (dioptres). The exposure
        is rounded to whole periods of the mains, and the gain compensates. Controls take a few frames to apply. Raises
        `CameraError`.
        """
        supported = self._opened().camera_controls
        wanted = self._measured() if values is None else values
        controls: dict[str, object] = {}
        names: list[str] = []
        if {"exposure", "gain"} <= wanted.keys() and {"ExposureTime", "AnalogueGain"} <= supported.keys():
            controls |= {"AeEnable": False, "ExposureTime": round(wanted["exposure"]), "AnalogueGain": wanted["gain"]}
            names += ["exposure", "gain"]
        if {"red", "blue"} <= wanted.keys() and "ColourGains" in supported:
            controls |= {"AwbEnable": False, "ColourGains": (wanted["red"], wanted["blue"])}
            names += ["red", "blue"]
        if "lens" in wanted and "LensPosition" in supported:
            controls |= {"AfMode": 0, "LensPosition": self._near("LensPosition", wanted["lens"])}
            names.append("lens")
        self._set(controls)
        return {name: wanted[name] for name in names}

    def _measured(self) -> dict[str, float]:
        """The exposure (rounded against flicker), white balance and focus that the camera has chosen."""
        _, metadata = self._next(0.0)
        limits = self._camera.camera_controls
        values: dict[str, float] = {}
        if {"ExposureTime", "AnalogueGain"} <= metadata.keys() & limits.keys():
            # A fixed exposure has no digital gain, so the sensor's gain has to compensate.
            gain = float(metadata["AnalogueGain"]) * float(metadata.get("DigitalGain", 1.0))
            least, most, _ = limits["AnalogueGain"]
            longest = min(float(FRAME_DURATIONS[1]), float(limits["ExposureTime"][1] or FRAME_DURATIONS[1]))
            chosen = flicker_free(
                Exposure(int(metadata["ExposureTime"]), gain), self._settings.mains, longest, (least, most)
            )
            values |= {"exposure": float(chosen.time), "gain": chosen.gain}
        if "ColourGains" in metadata:
            values["red"], values["blue"] = map(float, metadata["ColourGains"])
        if "LensPosition" in metadata:
            values["lens"] = float(metadata["LensPosition"])
        return values

    def unlock(self) -> None:
        """Make exposure, gain and white balance automatic again; the lens moves to the configured distance."""
        self._opened()
        # A time or gain of 0 makes it automatic again.
        self._set(
            {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True} | self._automatic(),
        )

    def close(self) -> None:
        """Release the device. Safe to call twice."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        if self._stalled:
            # Otherwise `close` would wait forever for the unanswered request.
            camera.cancel_all_and_flush()
        camera.close()

    def _close_after(self, error: Exception) -> None:
        """Close a camera that did not start; log an error while closing."""
        try:
            self.close()
        except Exception:
            log.exception("%s did not start (%s), and could not be closed", self.name, error)


def too_old(kind: type) -> Message | None:
    """Advice if picamera2 is too old: its class `kind` has no `captured_request`, which came with 0.3.21; else None."""
    if hasattr(kind, "captured_request"):
        return None
    try:
        found = version("picamera2")
    except PackageNotFoundError:
        found = "?"
    return Message(
        "The installed picamera2, {found}, is too old: it has to be 0.3.21 or newer. Run `sudo apt update`, then "
        "`sudo apt full-upgrade`, and start again.",
        found=found,
    )


def _new_picamera2(kind: Any, number: int) -> Any:
    """`Picamera2(number)`; closes what it leaves open when it raises: a pipe, and perhaps the camera (0.3.38)."""
    camera = kind.__new__(kind)
    try:
        camera.__init__(number)
    except Exception:
        if getattr(camera, "is_open", False):
            camera.camera.release()
        if hasattr(camera, "notifyme_w"):
            camera.notifymeread.close()
            os.close(camera.notifyme_w)
        raise
    return camera


def _cause(error: BaseException) -> BaseException:
    """The root cause: for a busy camera picamera2 itself only says that something did not complete."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def _full_range() -> object | None:
    """libcamera's sYCC, full range 0 to 255 for the small stream; None without libcamera."""
    try:
        from libcamera import ColorSpace  # noqa: PLC0415 - comes with picamera2
    except ImportError:
        return None
    return ColorSpace.Sycc()  # type: ignore[no-any-return]


def _ended(metadata: Mapping[str, Any]) -> float | None:
    """When the exposure of the frame's first row ended, on the clock of `time.monotonic`; None if unknown."""
    stamp = metadata.get("SensorTimestamp")
    if stamp is None:
        return None
    return sensors.on_monotonic(stamp / 1e9, time.monotonic(), time.clock_gettime(time.CLOCK_BOOTTIME))
