"""A feature of the box, apart from the game: backups, Wi-Fi, https. Each has a folder in `companion.features`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar, cast, runtime_checkable

from flask import Flask
from msgspec import Struct, defstruct

from companion.messages.message import Message
from companion.messages.sentence import Value
from companion.table import Table
from web.endpoints import Who, post
from web.errors import RequestError, answer

Service = TypeVar("Service")


@runtime_checkable
class Running(Protocol):
    """A service with a thread of its own."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


class Feature(Generic[Service]):
    """A feature of the box. Its methods with `@get` and `@post` are its endpoints.

    Every box has every feature, so that its API is the same everywhere. If a feature has no `service`, such as Wi-Fi on
    a machine without a radio, its state is null and its endpoints refuse.
    """

    key: ClassVar[str] = ""
    """The name of its field in `BoxState`; "" for none."""
    shows: ClassVar[type[Struct]]
    """The type of that field."""
    refuses: ClassVar[tuple[type[Exception], str] | None] = None
    """The error raised when the service refuses a request, and its code."""

    def __init__(self, service: Service | None, table: Table) -> None:
        self.service, self.table = service, table

    @property
    def there(self) -> Service:
        """The service. Raises `RequestError` if there is none."""
        if self.service is None:
            raise self.absence()
        return self.service

    def absence(self) -> RequestError:
        """The error if there is no service."""
        return RequestError("There is nothing at this address.", code="not_found")

    @property
    def idle(self) -> Service:
        """The service, for what must not be done during a game. Raises `RequestError` during a game, or if there is
        none.
        """
        service = self.there
        if self.table.state().playing:
            raise RequestError(Message("A game is going on: end it first."), code="wrong-phase")
        return service

    def check_saved(self) -> None:
        """Raise `RequestError` if a restart would lose something."""
        if not self.table.state().journal.ok:
            raise RequestError(
                Message(
                    "What was played last is not saved yet, and would be lost. First solve why it cannot be saved."
                ),
                code="unsaved",
            )

    def state(self) -> Struct | None:
        """The state that the page `/box` shows; None without a service."""
        service: Any = self.service
        return None if service is None else service.state()

    def start(self) -> None:
        """Start the service. The page already answers."""
        if isinstance(self.service, Running):
            self.service.start()

    def step(self) -> None:
        """Do what is due. Called every few seconds."""

    def stop(self) -> None:
        """Stop the service."""
        if isinstance(self.service, Running):
            self.service.stop()

    def lead(self) -> str | None:
        """The path to which a phone looking for another host is redirected; anybody may then do what is for
        `Who.SETUP`.
        """
        return None

    def register(self, app: Flask) -> None:
        """Add to `app` what is not part of the API, and the answer to the service's errors."""
        if self.refuses is not None:
            kind, code = self.refuses
            app.register_error_handler(kind, lambda error: answer(RequestError(_sentence(error), code=code)))


def _sentence(error: Exception) -> Message:
    """The message of a service's error for the host."""
    return cast(Message, error.args[0])


class BoxState(Value, frozen=True, kw_only=True):
    """What everybody may know about the box. It also answers every change."""

    version: str
    name: str
    """The machine's name. Phones find it as `name.local` if it runs Avahi."""
    address: str
    """Where phones find the page, without http://: `name.local` if something here answers to it, else an IP address."""
    playing: bool
    """True during a game. The box is not updated or restored meanwhile."""


def box_state(features: Iterable[Feature[Any]]) -> type[BoxState]:
    """`BoxState` with a field for each feature, which is null if the box does not have it."""
    fields = [(each.key, each.shows | None) for each in features if each.key]
    made = defstruct("BoxState", fields, bases=(BoxState,), namespace={"__doc__": BoxState.__doc__}, kw_only=True)
    return cast(type[BoxState], made)


change: Final = partial(post, topic="box", who=Who.HOST, answers=BoxState)
"""Declares an endpoint by which the host's phone changes the box; it answers the new state."""
