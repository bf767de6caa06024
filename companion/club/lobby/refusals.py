"""The lobby's answers, and what the club refuses as refusals of a request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Response

from companion.member.errors import ClubError, NotAllowedInClubError, UnreadableInClubError
from companion.messages.sentence import Value, json_bytes
from web.errors import RequestError
from web.headers import no_store


def answer_of(value: Value) -> Response:
    """The answer of an address."""
    return no_store(Response(json_bytes(value), mimetype="application/json"))


@contextmanager
def club_refusals() -> Iterator[None]:
    """Turn what the club refuses into refusals of the request."""
    try:
        yield
    except UnreadableInClubError as error:
        raise RequestError(error.sentence) from error
    except NotAllowedInClubError as error:
        raise RequestError(error.sentence, code="club") from error
    except ClubError as error:
        raise RequestError(error.sentence, code="club-trouble") from error
