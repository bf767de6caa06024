"""The JSON of the public state, for tests that compare it."""

from __future__ import annotations

import json
from typing import Any

from companion.messages.sentence import json_bytes


def in_json(value: object) -> Any:
    """A value of the API as the JSON that clients get."""
    return json.loads(json_bytes(value))
