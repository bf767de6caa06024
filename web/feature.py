"""A feature of the box, beside the game: backups, Wi-Fi, https. Each is a folder of `companion.features`."""

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
    """A service that does something by itself."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


class Feature(Generic[Service]):
    """A feature of the box. Its methods under `@get` and `@post` are its endpoints.

    Every box has every feature, so that its API is the same everywhere. Where one has no `service`, as Wi-Fi on a
    machine without a radio, its state is null and its endpoints refuse.
    """

    key: ClassVar[str] = ""
    """Its field of `BoxState`; "" for none."""
    shows: ClassVar[type[Struct]]
    """The type of that field."""
    refuses: ClassVar[tuple[type[Exception], str] | None] = None
    """An error by which the service refuses what the host wants, and its code."""

    def __init__(self, service: Service | None, table: Table) -> None:
        self.service, self.table = service, table

    @property
    def there(self) -> Service:
        """The service. Raises `RequestError` where there is none."""
        if self.service is None:
            raise self.absence()
        return self.service

    def absence(self) -> RequestError:
        """The refusal where there is no service."""
        return RequestError("There is nothing at this address.", code="not_found")

    @property
    def idle(self) -> Service:
        """The service, for what is not done during a game: then it raises `RequestError` too."""
        service = self.there
        if self.table.state().playing:
            raise RequestError(Message("A game is going on: end it first, or wait for its end."), code="wrong-phase")
        return service

    def check_saved(self) -> None:
        """Raise `RequestError` if a restart would lose something."""
        if not self.table.state().journal.ok:
            raise RequestError(
                Message("What was played last is only in memory, and would be lost. Mend first what keeps it there."),
                code="unsaved",
            )

    def state(self) -> Struct | None:
        """What the page `/box` sees of it now."""
        service: Any = self.service
        return None if service is None else service.state()

    def start(self) -> None:
        """Begin what it does by itself. The page answers already."""
        if isinstance(self.service, Running):
            self.service.start()

    def step(self) -> None:
        """Do what is due. It is called every few seconds."""

    def stop(self) -> None:
        """End what `start` began."""
        if isinstance(self.service, Running):
            self.service.stop()

    def lead(self) -> str | None:
        """Where a phone is led that looks for another machine. Anybody may then do what is for `Who.SETUP`."""
        return None

    def register(self, app: Flask) -> None:
        """Add to `app` what is not in the API, and how errors are answered."""
        if self.refuses is not None:
            kind, code = self.refuses
            app.register_error_handler(kind, lambda error: answer(RequestError(_sentence(error), code=code)))


def _sentence(error: Exception) -> Message:
    """What a service's error says to the host."""
    return cast(Message, error.args[0])


class BoxState(Value, frozen=True, kw_only=True):
    """What everybody may know of the box. It answers every change, too."""

    version: str
    name: str
    """The machine's. Phones find it as `name.local` where it runs Avahi."""
    address: str
    """Where phones find the page, without http://: by `name.local` if anything here answers to that, else by number."""
    playing: bool
    """Whether a game is going on. The box is not updated or restored meanwhile."""


def box_state(features: Iterable[Feature[Any]]) -> type[BoxState]:
    """`BoxState` with a field for each of the features; null where the box has no such thing."""
    fields = [(each.key, each.shows | None) for each in features if each.key]
    made = defstruct("BoxState", fields, bases=(BoxState,), namespace={"__doc__": BoxState.__doc__}, kw_only=True)
    return cast(type[BoxState], made)


change: Final = partial(post, topic="box", who=Who.HOST, answers=BoxState)
"""Declares an endpoint by which the host's phone changes the box. What it is then is the answer."""
