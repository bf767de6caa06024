"""The Flask application over a table that plays no game, and its test client."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

import pytest
from flask import Flask, Response, request
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from tests.fakes.clock import FakeClock
from tests.fakes.parts import box_parts
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera, FakePanel, FakeTable
from web.access.access import Access
from web.app import create_app

DOCUMENT = Path(__file__).parents[2] / "docs" / "reference" / "openapi.json"


@pytest.fixture
def table(tmp_path: Path) -> FakeTable:
    return FakeTable(STATES["bidding"], tmp_path)


@pytest.fixture
def panel() -> FakePanel:
    return FakePanel()


@pytest.fixture
def camera() -> FakeCamera:
    return FakeCamera()


@pytest.fixture
def access(clock: FakeClock) -> Access:
    return Access(code="1234", rng=random.Random(1), clock=clock)


@pytest.fixture
def make_app(described: Described) -> Callable[..., Flask]:
    """Makes the application of `box_parts`. Its clients are `PhoneClient`, its answers follow the document."""

    def made(table: Any, **parts: Any) -> Flask:
        app = create_app(box_parts(table, **{"access": Access(code="1234"), **parts}))
        app.testing = True
        app.after_request(described.check)
        app.test_client_class = PhoneClient
        return app

    return made


@pytest.fixture
def app(
    table: FakeTable,
    access: Access,
    panel: FakePanel,
    camera: FakeCamera,
    clock: FakeClock,
    make_app: Callable[..., Flask],
) -> Flask:
    return make_app(table, access=access, panel=panel, camera=camera, clock=clock)


class Described:
    """The OpenAPI document, and whether answers follow it."""

    def __init__(self) -> None:
        self.document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
        resource = Resource.from_contents(self.document, default_specification=DRAFT202012)
        self._registry = Registry().with_resource("urn:api", resource)
        self._checks: dict[str, Draft202012Validator] = {}

    def operation(self, rule: str, method: str) -> dict[str, Any]:
        """The operation of a Flask route."""
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)
        return dict(self.document["paths"][path][method.lower()])

    def mistakes(self, value: object, schema: Mapping[str, Any]) -> list[str]:
        """The mistakes of a value, by its schema."""
        where = json.dumps(schema, sort_keys=True)
        if where not in self._checks:
            absolute = json.loads(where.replace('"#/', '"urn:api#/'))
            self._checks[where] = Draft202012Validator(absolute, registry=self._registry)
        return [f"{error.json_path}: {error.message}" for error in self._checks[where].iter_errors(value)]

    def check(self, response: Response) -> Response:
        """Check an answer and its request against the document."""
        method = "GET" if request.method == "HEAD" else request.method
        rule = request.url_rule
        if rule is None or not (rule.rule.startswith("/api/") or rule.rule in ("/healthz", "/metrics")):
            return response
        operation = self.operation(rule.rule, method)
        answers = operation["responses"]
        assert str(response.status_code) in answers, (rule.rule, response.status_code, response.get_data())
        promised = answers[str(response.status_code)]
        if "$ref" in promised:
            promised = self.document["components"]["responses"][promised["$ref"].rpartition("/")[2]]
            code = (response.json or {})["error"]
            assert f"`{code}`" in promised["description"], (rule.rule, response.status_code, code)
        for name, header in promised.get("headers", {}).items():
            assert name in response.headers or not header.get("required"), (rule.rule, name)
        if response.mimetype == "application/json":
            assert self.mistakes(response.json, promised["content"]["application/json"]["schema"]) == []
        elif response.status_code == 200:
            assert response.mimetype in promised["content"], rule.rule
        if method == "POST" and response.status_code == 200:
            content = operation["requestBody"]["content"]
            assert request.mimetype in content, rule.rule
            if request.is_json:
                schema = content["application/json"]["schema"]
                assert self.mistakes(request.get_json(), schema) == [], request.get_json()
        return response


@pytest.fixture(scope="session")
def described() -> Described:
    return Described()


class PhoneClient(FlaskClient):
    """A phone's page. It sends with a change the headers of docs/reference/api.md, except those set to None."""

    _keys = itertools.count(10_000_000)
    csrf: str | None = None

    def join(self, code: str = "1234", seat: str | None = None) -> Self:
        """Join by the table's code; `seat` is a player's, or the role `table` or `watching`."""
        answer = super().post("/api/v1/join", json={"code": code})
        assert answer.status_code == 200, answer.json
        self.csrf = (answer.json or {})["csrf"]
        if seat is not None:
            role = {"role": seat} if seat in ("table", "watching") else {"role": "player", "player": seat}
            assert self.post("/api/v1/seat", json=role).status_code == 200
        return self

    @property
    def name(self) -> str:
        """The phone's id."""
        return str((self.get("/api/v1/me").json or {})["phone"])

    def post(self, *args: Any, headers: Mapping[str, str | None] = MappingProxyType({}), **kwargs: Any) -> Any:
        all_headers: dict[str, str | None] = {"Idempotency-Key": str(next(self._keys)), "X-Perudo-CSRF": self.csrf}
        if "X-Perudo-Version" not in headers:
            all_headers["X-Perudo-Version"] = str((self.get("/api/v1/state").json or {})["version"])
        all_headers |= headers
        return super().post(
            *args, headers={name: value for name, value in all_headers.items() if value is not None}, **kwargs
        )


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """The host's phone, which may speak for everybody."""
    return app.test_client().join()  # type: ignore[attr-defined, no-any-return]


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    """A page that has not joined."""
    return FlaskClient(app, app.response_class)
