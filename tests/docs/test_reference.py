"""The reference that is written from the code says what the code says."""

from __future__ import annotations

from pathlib import Path

from docs.reference import club, commands, configuration, endpoints, signs

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"


def test_the_commands_are_as_the_command_says() -> None:
    assert commands.markdown() in (REFERENCE / "commands.md").read_text(encoding="utf-8")


def test_the_addresses_are_as_the_openapi_document_says() -> None:
    assert endpoints.markdown() in (REFERENCE / "api.md").read_text(encoding="utf-8")


def test_the_configuration_is_as_its_keys_are_declared() -> None:
    assert configuration.markdown() in (REFERENCE / "configuration.md").read_text(encoding="utf-8")


def test_the_payloads_and_addresses_of_a_club_are_as_they_are_declared() -> None:
    text = (REFERENCE / "club.md").read_text(encoding="utf-8")
    assert club.payloads() in text
    assert club.addresses() in text
    assert (REFERENCE / "club.schema.json").read_text(encoding="utf-8") == club.schema()


def test_the_signs_of_the_panel_are_as_the_panel_shows_them() -> None:
    assert signs.markdown() in (REFERENCE / "wiring.md").read_text(encoding="utf-8")
