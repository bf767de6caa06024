"""`perudo cards`: the cards at the seats explain what the panel does."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.cli.cards import LAMP_MEANINGS, page, strip
from companion.features.wifi.own_network import own_network
from companion.table.state.signs import SIGNS_BY_PHASE
from hardware.panel.lamp_patterns import LampPattern
from web.access.invitation import invitation, qr_svg
from web.access.keys import load


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["cards", *arguments], env={"PERUDO_CONFIG": None, "XDG_CONFIG_HOME": "/nowhere"})
    return result.exit_code, result.output


def test_the_cards_explain_every_sign_of_a_seats_lamp_and_no_other() -> None:
    panel = {(sign.lamp, sign.whose) for row in SIGNS_BY_PHASE.values() for sign in row.seats}
    assert {(lamp, whose) for lamp, meanings in LAMP_MEANINGS for whose, _ in meanings} == panel


def test_every_seat_has_a_card_with_the_address_and_the_code(tmp_path: Path) -> None:
    out = tmp_path / "cards.html"
    status, output = run("--out", str(out), "--address", "http://perudo.local:8000/", "--code", "0417", "--seats", "4")
    assert status == 0
    assert "4 cards for http://perudo.local:8000/" in output
    assert out.stat().st_mode & 0o077 == 0, "others may read the code"
    html = out.read_text(encoding="utf-8")
    assert re.findall(r"<h1>(Seat \d)</h1>", html) == ["Seat 1", "Seat 2", "Seat 3", "Seat 4"]
    assert html.count("<p>perudo.local:8000</p>") == 4, "as it is typed"
    assert html.count("<b>0417</b>") == 4
    codes = {base64.b64decode(code) for code in re.findall(r"base64,([^\"]+)", html)}
    assert codes == {qr_svg(invitation("http://perudo.local:8000/", "0417"))}


def test_a_page_of_cards_fetches_nothing_and_escapes_its_address() -> None:
    html = page(6, "http://a/<script>", None)
    assert re.findall(r'(?:src|href)="(?!data:)', html) == []
    assert "url(" not in html
    assert "<script" not in html
    assert "the box shows the table code" in html


def test_the_configuration_gives_port_and_code(tmp_path: Path) -> None:
    config, out = tmp_path / "perudo.toml", tmp_path / "cards.html"
    config.write_text('[web]\nhost = "192.168.7.9"\nport = 8123\n[access]\ncode = "7351"\n', encoding="utf-8")
    status, output = run("--config", str(config), "--out", str(out))
    assert (status, "for http://192.168.7.9:8123/" in output) == (0, True)
    assert "<b>7351</b>" in out.read_text(encoding="utf-8")


def test_a_boxs_own_code_and_wifi_are_on_its_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    keys = load(tmp_path, Random(1))
    own = own_network(tmp_path, Random(1), "a box")
    out = tmp_path / "cards.html"
    assert run("--address", "http://perudo.local/", "--out", str(out))[0] == 0
    html = out.read_text(encoding="utf-8")
    assert f"<b>{keys.code}</b>" in html
    assert own.name in html
    assert own.password in html


@pytest.mark.parametrize(
    "wrong",
    [
        ("--code", "12345"),
        ("--code", "abcd"),
        ("--address", "perudo.local"),
        ("--address", "ftp://perudo.local/"),
        ("--address", "http://[::1/"),
        ("--address", "http://perudo.local/" + "x" * 80),
        ("--seats", "9"),
    ],
)
def test_values_that_cannot_be_printed_are_refused(tmp_path: Path, wrong: tuple[str, str]) -> None:
    out = tmp_path / "cards.html"
    status, output = run("--out", str(out), *wrong)
    assert status == 2
    assert wrong[0] in output
    assert not out.exists()


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    status, output = run("--out", str(tmp_path / "no" / "cards.html"), "--address", "http://a/")
    assert status == 2
    assert "cannot be written" in output


def test_every_pattern_looks_different_on_paper() -> None:
    strips = {lamp: strip(lamp) for lamp in LampPattern}
    assert len(set(strips.values())) == len(LampPattern)
    assert "<rect" not in strips[LampPattern.OFF]
