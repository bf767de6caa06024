"""The Flask application over a table that plays no game, and its test client."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from web import create_app
from web.access import Access
from web.fake import FakeCamera, FakePanel, FakeTable
from web.fake_states import STATES


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(STATES["bidding"])


@pytest.fixture
def panel() -> FakePanel:
    return FakePanel()


@pytest.fixture
def camera() -> FakeCamera:
    return FakeCamera()


class Clock:
    """A clock that only moves when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def access(clock: Clock) -> Access:
    return Access.of(code="1234", rng=random.Random(1), clock=clock)


@pytest.fixture
def app(table: FakeTable, access: Access, panel: FakePanel, camera: FakeCamera, clock: Clock, tmp_path: Path) -> Flask:
    app = create_app(table, access=access, panel=panel, camera=camera, pictures=tmp_path, demo=True, clock=clock)
    app.testing = True
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
