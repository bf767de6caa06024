"""The OpenAPI document of the lobby, generated from its endpoints. Pure."""

from __future__ import annotations

import re
from typing import Final

from companion.club.lobby.lobby import LobbyEndpoints
from web.endpoints import TEXT, Endpoint, Schema, Who, endpoints_of
from web.errors import Refusal
from web.openapi import components, content, key_parameter

ENDPOINTS: Final = tuple(each for each in endpoints_of(LobbyEndpoints) if isinstance(each.answers, type))
"""All endpoints except the stream."""


def lobby_document() -> Schema:
    """The OpenAPI 3.1 document."""
    posted = [each for each in ENDPOINTS if each.method == "POST"]
    _, schemas = components([*(each.answers for each in ENDPOINTS), *(each.takes for each in posted), Refusal])
    paths: dict[str, Schema] = {}
    for each in ENDPOINTS:
        paths.setdefault(f"/{path_of(each)}", {})[each.method.lower()] = _operation(each)
    stream = next(each for each in endpoints_of(LobbyEndpoints) if not isinstance(each.answers, type))
    paths["/events"] = {"get": {
        "summary": stream.words,
        "responses": {"200": {"description": "The stream.", "content": {stream.mimetype: {}}}},
    }}  # fmt: skip
    return {
        "openapi": "3.1.0",
        "info": {"title": "Perudo club", "version": "1.0.0", "summary": "The lobby of a club's tables."},
        "servers": [{"url": "/api/v1"}],
        "paths": paths,
        "components": {"schemas": schemas},
    }


def path_of(each: Endpoint) -> str:
    """The endpoint's address in OpenAPI's notation."""
    return re.sub(r"{\w+:", "{", each.path)


def _operation(each: Endpoint) -> Schema:
    fields = [
        {"name": name, "in": "path", "required": True, "schema": TEXT} for name in re.findall(r"(\w+)}", each.path)
    ]
    key = key_parameter(
        "A different one for every change. A change that is sent again with the same key counts once and gets the "
        "first answer again.",
        required=False,
    )
    change = each.method == "POST" and each.who is Who.HOST
    refused = {"description": "Refused.", "content": content(Refusal)}
    return {
        "summary": each.words,
        "parameters": [*fields, *each.parameters, *([key] if change else [])],
        "responses": {
            "200": {"description": "Done.", "content": content(each.answers)},
            **{str(status): refused for status in (400, *sorted(each.refuses))},
        },
        **({"requestBody": {"required": True, "content": content(each.takes)}} if each.method == "POST" else {}),
    }
