"""JSON from anybody is read, or refused in one way."""

from __future__ import annotations

import pytest

from companion.messages.sentence import Sentence, read_json


def test_what_is_there_is_read() -> None:
    assert read_json(b'{"sentence": "Ana wins."}', Sentence).sentence == "Ana wins."


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"sentence": 3}', b'{"sentence": "\xff"}', b"[" * 200_000])
def test_anything_else_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_json(data, Sentence)
