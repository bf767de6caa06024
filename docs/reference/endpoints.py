"""The addresses of the HTTP API, from its OpenAPI document."""

from __future__ import annotations

from web.app import document


def markdown() -> str:
    """Every address, tag by tag: what it takes, and what it is for."""
    described = document()
    sections = []
    for tag in described["tags"]:
        rows = [
            f"- `{method.upper()} {path}`{_body(operation)}: {operation['summary']}"
            for path, operations in described["paths"].items()
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
