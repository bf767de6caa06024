"""https on the page `/box`: the box's own certificate, for screens that must stay awake."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import NotFound

from companion.features.https.certificates import CertificateError
from companion.features.https.service import HttpsState, SecurePage
from companion.messages.message import Message
from web.access.guard import HEADERS
from web.errors import RequestError
from web.feature import Feature, change

CERTIFICATE_PATH: Final = "/perudo-ca.crt"


class HttpsFeature(Feature[SecurePage]):
    key, shows = "https", HttpsState

    def absence(self) -> RequestError:
        return RequestError(Message("This program serves no https."), code="certificate")

    def start(self) -> None:
        if self.service is not None:
            self.service.start(self._app.extensions["server"])

    def register(self, app: Flask) -> None:
        """Serve the authority's certificate, and let `/box` check over https if this device trusts it."""
        super().register(app)
        self._app = app

        @app.after_request
        def _checks_trust(response: Response) -> Response:
            host = urlsplit(f"//{request.host}").hostname or ""
            if request.path == "/box" and re.fullmatch(r"[a-z0-9.-]+", host):
                policy = HEADERS["Content-Security-Policy"]
                response.headers["Content-Security-Policy"] = policy.replace(
                    "connect-src 'self'", f"connect-src 'self' https://{host}:*"
                )
            return response

        @app.get(CERTIFICATE_PATH, endpoint="authority")
        def authority() -> Response:
            found = None if self.service is None else self.service.certificate()
            if found is None:
                raise NotFound
            response = Response(found, mimetype="application/x-x509-ca-cert")
            response.headers["Cache-Control"] = "no-store"
            # The page requests this over https from http, a different origin.
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
            return response

    @change("box/certificate")
    def make_certificate(self) -> None:
        """Make the box's own certificate, so that the page is also served over https."""
        try:
            self.there.make()
        except CertificateError as error:
            raise RequestError(
                Message("The certificate could not be made: {reason}.", reason=str(error)), code="certificate"
            ) from error
