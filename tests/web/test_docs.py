"""The example in docs/reference/api.md works as printed."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from companion.table import Journal, Table
from tests.fakes.new_game import new_game
from tests.fakes.parts import box_parts
from tests.fakes.public_state import in_json
from web.access.access import Access
from web.app import create_app
from web.stream.server import make_server

API = Path(__file__).parents[2] / "docs" / "reference" / "api.md"


@pytest.mark.programs("curl")
def test_the_example_joins_and_bids(tmp_path: Path) -> None:
    example = API.read_text().split("```sh\n")[1].split("```")[0]
    first, rest = example.split("\n", 1)
    assert first == "TABLE=http://192.168.1.5:8000/api/v1 CODE=1234"
    with Table(Journal(tmp_path)) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        with make_server(create_app(box_parts(table, access=Access(code="0271"))), "127.0.0.1", 0) as server:
            environment = {**os.environ, "TABLE": f"{server.url}api/v1", "CODE": "0271", "NO_PROXY": "*"}
            result = subprocess.run(
                ["sh", "-euc", rest], env=environment, capture_output=True, text=True, check=True, timeout=30
            )
        bid = json.loads(result.stdout)["bid"]
        assert (bid["player"], bid["count"], bid["face"]) == ("Ana", 3, 4)
        assert in_json(table.state().bid) == bid


def test_the_times_and_numbers_in_the_documentation_are_those_of_the_code() -> None:
    from web.access import phones, wrong_codes
    from web.stream import stream
    from web.stream.stream import MAX_LISTENERS, UNREAD_FOR

    text = " ".join(API.read_text().split())
    for sentence in (
        f"up to {stream.STATES_KEPT} states",
        f"There is room for {MAX_LISTENERS}",
        f"A phone may have {stream.PHONES_OWN} streams, and all phones at one address that have not joined "
        f"{stream.STRANGERS}",
        f"reads nothing for {UNREAD_FOR:.0f} s",
        f"waits {wrong_codes.FIRST_WAIT:.0f} s",
    ):
        assert sentence in text
    assert (wrong_codes.FREE_CODES, wrong_codes.SHARED_CODES, wrong_codes.SHARED_WAIT) == (3, 20, 60.0)
    assert (wrong_codes.NEWCOMER_CODES, wrong_codes.NEWCOMER_WAIT) == (380, 10.0)
    assert (wrong_codes.LONGEST_CODE_WAIT, wrong_codes.CODES_AN_HOUR) == (600.0, 820)
    assert (wrong_codes.FREE_JOINS, wrong_codes.JOIN_WAIT) == (48, 10.0)
    assert phones.AWAY_AFTER == 120.0
