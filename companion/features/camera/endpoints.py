"""Choosing the camera: the host tries one, and keeps it after seeing its picture."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.config.settings_file import SettingsError
from companion.features.camera.service import CameraSetup, CameraSetupState
from web.endpoints import Who, get
from web.errors import RequestError
from web.feature import Feature, change
from web.pictures import jpeg


class TryCamera(Struct, frozen=True, forbid_unknown_fields=True):
    """A camera to try."""

    source: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=300,
            description="One that was found; an address that begins with http://, https:// or rtsp://; or phone.",
        ),
    ]


class CameraFeature(Feature[CameraSetup]):
    key, shows = "camera", CameraSetupState
    refuses = SettingsError, "settings"

    def absence(self) -> RequestError:
        return RequestError("No camera can be chosen here.", code="not_found")

    @change("box/camera/try", refuses=(404,))
    def try_camera(self, body: TryCamera) -> None:
        """Begin to open a camera and take a picture; the state shows the result. Not while a game is going on."""
        self.idle.try_camera(body.source)

    @change("box/camera/keep", refuses=(404,))
    def keep_camera(self) -> None:
        """Save the tested camera in the configuration. The program restarts."""
        setup = self.idle
        self.check_saved()
        setup.keep()

    @get("box/camera.jpg", topic="box", who=Who.HOST, answers="image/jpeg", refuses=(404,))
    def tried_picture(self) -> bytes:
        """The picture of the last tested camera, at most 960 pixels wide."""
        picture = self.there.picture
        if picture is None:
            raise RequestError("No camera was tried that gives pictures.", code="not_found")
        return jpeg(picture)
