"""The errors of a network camera, by what its address answers."""

from __future__ import annotations

from companion.messages.message import Message
from hardware.camera.protocol import CameraError


def no_pictures(shown: str) -> CameraError:
    """The error for a camera that does not answer."""
    return CameraError(
        Message(
            "No pictures come from {address}. Is the camera, or its app, on and in this Wi-Fi? "
            "Try the address in a browser.",
            address=shown,
        )
    )


def refusal(status: int, shown: str, *, named: bool) -> CameraError:
    """The error for a camera that answers with an HTTP or RTSP `status` instead of pictures; 0 means no answer.

    named: the address has a name and a password.
    """
    return no_pictures(shown) if status in {0, 200} else CameraError(_refused(status, shown, named))


def _refused(status: int, shown: str, named: bool) -> Message:
    match status:
        case 401 | 403 if named:
            return Message("{address} does not take this name and password.", address=shown)
        case 401 | 403:
            return Message(
                "{address} asks for a name and a password: put them before the address, as in "
                "http://name:password@192.168.1.20/video.",
                address=shown,
            )
        case 404 | 410:
            return Message(
                "The camera answers, but has nothing at {address}. Its app or its manual says where its pictures are.",
                address=shown,
            )
        case _ if 300 <= status < 400:
            return Message(
                "{address} leads to another address. Open it in a browser, and enter the address that the browser "
                "then shows.",
                address=shown,
            )
        case _:
            return Message("The camera at {address} answers with error {status}.", address=shown, status=status)
