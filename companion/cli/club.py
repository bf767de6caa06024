"""`perudo club`: runs the hub of a club, invites tables, and joins or leaves a club."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from companion.cli.options import FOLDER_PATH, INPUT_PATH, state_option, verbose_option
from companion.cli.output import UNUSABLE, complain, fail, say, write_file
from companion.member.errors import ClubError
from companion.state_folder import as_owner_of, state_folder

_EXTRA_PACKAGES: Final = frozenset({"paho", "openskill", "sqlalchemy"})
"""Packages of the extra `club`."""
_EXTRA = "The part for clubs is not installed: pip install 'perudo-companion[club]', or '.[club]' in a clone."
_NO_BROKER = """\
A club needs an MQTT broker. Either
  --embedded                start Debian's mosquitto with the right settings (sudo apt install mosquitto), or
  --broker mqtt://HOST      use one that is there; mqtts://NAME:PASSWORD@HOST:8883 with a password and TLS.
$PERUDO_BROKER is the same as --broker, but no other user of this machine can read the password in it."""


def _hub_folder(_context: click.Context, _parameter: click.Parameter, named: Path | None) -> Path:
    return named or state_folder() / "club"


_hub_state = click.option(
    "--state", type=FOLDER_PATH, callback=_hub_folder, metavar="DIR",
    help="The club's folder.  [default: the folder club in $STATE_DIRECTORY or the user's own]",
)  # fmt: skip


_database = click.option(
    "--database", envvar="PERUDO_DATABASE", show_envvar=True, metavar="URL",
    help="postgresql+psycopg://...  [default: SQLite in the club's folder]",
)  # fmt: skip


@contextmanager
def _club_sentences() -> Iterator[None]:
    """End the command with a sentence if the club fails, or the extra for clubs is not installed."""
    try:
        yield
    except ClubError as error:
        fail(str(error))
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA_PACKAGES:
            raise
        fail(_EXTRA)


@click.group(invoke_without_command=True)
@click.option("--broker", envvar="PERUDO_BROKER", show_envvar=True, metavar="URL",
              help="mqtt:// or mqtts://, [NAME:PASSWORD@]HOST[:PORT].")  # fmt: skip
@click.option("--embedded", is_flag=True, help="Start Debian's mosquitto, with the right settings, as a child.")
@click.option("--broker-port", type=click.IntRange(0, 65535), default=8883, show_default=True,
              help="Where --embedded listens for tables, with TLS; 0 takes a free one.")  # fmt: skip
@click.option("--authority", type=INPUT_PATH, metavar="FILE", help="PEM of who vouches for an mqtts:// broker.")
@_database
@click.option("--title", metavar="NAME", default="", help="What people call the club; kept from then on.")
@click.option("--host", default="::", show_default=True,
              help="The address that the lobby and the broker of --embedded listen on; :: is every one, of IPv4 "
                   "too.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8100, show_default=True, help="0 takes a free one.")
@verbose_option
@_hub_state
@click.pass_context
@_club_sentences()
def club(
    context: click.Context,
    broker: str | None,
    embedded: bool,
    broker_port: int,
    authority: Path | None,
    database: str | None,
    title: str,
    host: str,
    port: int,
    state: Path,
) -> None:
    """Serve the lobby of a club: many tables, their games in one book, rankings and tournaments.

    The first line of standard output is the lobby's address, once it answers. Each table joins by an invitation of its
    own: `perudo club invite` here, and `perudo club join ADDRESS` there, or "The box" in the table's menu.
    """
    if context.invoked_subcommand is not None:
        return
    if embedded and context.get_parameter_source("broker") is ParameterSource.ENVIRONMENT:
        broker = None  # options override the environment
    if embedded == (broker is not None):
        if embedded:
            fail("--embedded starts a broker: it cannot use --broker too.")
        first, *more = _NO_BROKER.splitlines()
        complain(first)
        say(*more, err=True)
        context.exit(UNUSABLE)
    from companion.member.invitation import LONGEST_CLUB_TITLE

    if len(title) > LONGEST_CLUB_TITLE:
        fail(f"--title has at most {LONGEST_CLUB_TITLE} characters.")
    from companion.club.hub_program import HubSetup, run_hub
    from companion.member.address import parse_broker_address

    setup = HubSetup(
        state,
        host,
        port,
        None if broker is None else parse_broker_address(broker),
        broker_port=broker_port,
        # A file that is not text is not PEM either; the broker's client reports that.
        authority="" if authority is None else authority.read_text(encoding="utf-8", errors="replace"),
        database=database,
        title=title,
    )
    with as_owner_of(state):
        run_hub(setup)


@club.command()
@_database
@_hub_state
@_club_sentences()
def invite(database: str | None, state: Path) -> None:
    """Print an invitation for one table, good for a day. The hub must have been started once."""
    from companion.club.hub.store import Store
    from companion.club.hub_program import lobby_address

    with as_owner_of(state):
        store = Store(state, database, create=False)
        invitation = store.invite(lobby_address(store), random.SystemRandom())
        store.close()
    say(str(invitation))


@club.command("home-assistant")
@_database
@_hub_state
@_club_sentences()
def home_assistant(database: str | None, state: Path) -> None:
    """Make a password for Home Assistant on the hub's own broker, while the hub runs. The one before ends."""
    from companion.club.hub.store import Store
    from companion.club.hub_program import ask_home_access, lobby_address
    from companion.member.address import parse_broker_address

    with as_owner_of(state):
        store = Store(state, database, create=False)
        address = lobby_address(store)
        store.close()
        found = ask_home_access(address, state)
        certificate = state / "broker-authority.pem"
        write_file(certificate, found.authority.encode())
    broker = parse_broker_address(found.broker)
    say(
        f"Broker: {broker.host}",
        f"Port: {broker.port}",
        f"User name: {found.username}",
        f"Password: {found.password}",
        f"CA certificate: {certificate}",
        "Home Assistant asks for these when MQTT is set up. The certificate is among the advanced options, in advanced "
        "mode: docs/how-to/home-assistant.md.",
    )


@club.command()
@click.argument("address")
@click.option("--name", help="What the club is to call this table.  [default: this machine's name]")
@state_option("The table's folder.")
@_club_sentences()
def join(address: str, name: str | None, state: Path) -> None:
    """Join a club by the ADDRESS of an invitation. A table that is running notices it within seconds."""
    import socket

    from companion.member.invitation import parse_invitation
    from companion.member.membership import join_club

    with as_owner_of(state):
        found = join_club(parse_invitation(address), state, name or socket.gethostname()[:40], random.SystemRandom())
    say(
        f"The table of {state} is {found.name} in {found.title}. Players are called by their colours there, until they "
        'agree to be named ("The box" in the menu).'
    )


@club.command()
@state_option("The table's folder.")
@_club_sentences()
def leave(state: Path) -> None:
    """Leave the club. What is in its books stays there."""
    from companion.member.membership import forget_membership, read_membership

    with as_owner_of(state):
        try:
            found = read_membership(state)
        except ClubError as error:
            say(str(error), err=True)
            found = None
        forget_membership(state)
    left = "is in no club." if found is None else f"has left {found.title}."
    say(f"The table of {state} {left}")
