"""The addresses of the HTTP API, from its OpenAPI document."""

from __future__ import annotations

import json
from typing import Any

from tests.fakes.parts import box_parts
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web.app import document

DOCUMENT = document(box_parts(FakeTable(STATES["seating"])).features)


def openapi() -> str:
    """The document, a line for each address and each schema, without the words that no program relies on."""
    components = {kind: _lines(found) for kind, found in _bare(DOCUMENT["components"]).items()}
    components["responses"] = _lines(DOCUMENT["components"]["responses"])  # their words list the codes
    parts = {"paths": _lines(_bare(DOCUMENT["paths"])), "components": _braces(components)}
    rest = {name: json.dumps(part) for name, part in DOCUMENT.items() if name not in parts}
    return _braces(rest | parts) + "\n"


def _bare(value: Any) -> Any:
    """`value` without the texts of its descriptions."""
    if isinstance(value, dict):
        words = ("description", "summary")
        return {name: _bare(each) for name, each in value.items() if name not in words or not isinstance(each, str)}
    return [_bare(each) for each in value] if isinstance(value, list | tuple) else value


def _lines(found: dict[str, object]) -> str:
    return _braces({name: json.dumps(each, sort_keys=True) for name, each in sorted(found.items())})


def _braces(found: dict[str, str]) -> str:
    return "{\n" + ",\n".join(f'"{name}": {text}' for name, text in found.items()) + "\n}"


def markdown() -> str:
    """Every address, tag by tag: what it takes, and what it is for."""
    sections = []
    for tag in DOCUMENT["tags"]:
        rows = [
            f"- `{method.upper()} {path}`{_body(operation)}: {operation['summary']}"
            for path, operations in DOCUMENT["paths"].items()
            for method, operation in operations.items()
            if tag["name"] in operation["tags"]
        ]
        sections.append("\n".join([f"**{tag['description']}**", "", *rows]))
    return "\n\n".join(sections)


def _body(operation: dict[str, object]) -> str:
    """The body's schema or kind, in brackets; nothing for an empty one."""
    body = operation.get("requestBody")
    if not isinstance(body, dict):
        return ""
    if "application/json" not in body["content"]:
        return f" ({', '.join(f'`{each}`' for each in body['content'])})"
    name = str(body["content"]["application/json"]["schema"]["$ref"]).rsplit("/", 1)[1]
    return "" if name == "Nothing" else f" (`{name}`)"
