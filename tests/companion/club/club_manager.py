"""A phone that knows the club's code."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from web.errors import CSRF, IDEMPOTENCY_KEY


class ClubManager:
    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        answer = client.post("/api/v1/manage", json={"code": "4711"})
        self.headers = {CSRF: answer.json["csrf"]}

    def post(self, path: str, body: dict[str, Any], status: int = 200, *, key: str = "") -> dict[str, Any]:
        """Send a change, under an idempotency key if there is one; the answer, whose status must be `status`."""
        headers = {**self.headers, **({IDEMPOTENCY_KEY: key} if key else {})}
        answer = self.client.post(f"/api/v1/{path}", json=body, headers=headers)
        assert answer.status_code == status, answer.get_data()
        return dict(answer.json or {})

    def open_tournament(self, **more: object) -> int:
        return int(self.post("tournaments", {"title": "Summer Cup", **more})["tournament"])
