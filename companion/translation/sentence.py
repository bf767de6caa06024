"""Parses the sentences of the catalogs, as `web/static/languages/sentences.js` does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_TEXT = re.compile(r"[^{}]+")
_PLACE = re.compile(r"\{(\w+)(?::(\w+))?(?::(\w+))?\}")
_CHOICE = re.compile(r"\{(\w+), (plural|select),")
_CASE = re.compile(r"\s*(=?\w+) \{")
_PLURAL = re.compile(r"=\d+|zero|one|two|few|many|other")


@dataclass(frozen=True, slots=True)
class Place:
    """A place where a value is inserted, or chooses among `cases`."""

    names: frozenset[str]
    form: str = ""
    kind: str = ""
    cases: Mapping[str, Sequence[str | Place]] | None = None

    @property
    def is_whole(self) -> bool:
        """True if there is something to say for any value."""
        cases = self.cases if self.cases is not None else {"other": ()}
        return "other" in cases and (self.kind != "plural" or all(map(_PLURAL.fullmatch, cases)))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A parsed sentence."""

    text: str
    parts: Sequence[str | Place] | None
    """None if the page cannot read it."""

    @property
    def places(self) -> list[Place]:
        """All places, including those within choices."""
        return [*_places(self.parts or ())]

    @property
    def names(self) -> frozenset[str]:
        """The names of the values that it needs."""
        return frozenset[str]().union(*(place.names for place in self.places))

    @property
    def is_whole(self) -> bool:
        """True if the page can read it and each of its choices covers any value."""
        return self.parts is not None and all(place.is_whole for place in self.places)

    @property
    def variants(self) -> list[str]:
        """All texts that can result, with an x for each value."""
        return _variants(self.parts or ())


def sentence(text: str) -> Sentence:
    """Parse a sentence."""
    parts, at = _parts(text, 0)
    return Sentence(text, parts if at == len(text) else None)


def _parts(text: str, at: int) -> tuple[Sequence[str | Place], int]:
    """The parts from `at` on, and where they end: at the end of the text, a bracket, or a mistake."""
    found: list[str | Place] = []
    while True:
        if plain := _TEXT.match(text, at):
            found.append(plain[0])
            at = plain.end()
        elif place := _PLACE.match(text, at):
            found.append(Place(frozenset(filter(None, (place[1], place[3]))), place[2] or ""))
            at = place.end()
        elif (choice := _CHOICE.match(text, at)) and (read := _cases(text, choice.end())):
            found.append(Place(frozenset({choice[1]}), kind=choice[2], cases=read[0]))
            at = read[1]
        else:
            return found, at


def _cases(text: str, at: int) -> tuple[Mapping[str, Sequence[str | Place]], int] | None:
    cases = {}
    while case := _CASE.match(text, at):
        cases[case[1]], at = _parts(text, case.end())
        if not text.startswith("}", at):
            return None
        at += 1
    return (cases, at + 1) if text.startswith("}", at) else None


def _places(parts: Sequence[str | Place]) -> Iterator[Place]:
    for part in parts:
        if not isinstance(part, str):
            yield part
            for case in (part.cases or {}).values():
                yield from _places(case)


def _variants(parts: Sequence[str | Place]) -> list[str]:
    said = [""]
    for part in parts:
        ends = [part] if isinstance(part, str) else ["x"]
        if not isinstance(part, str) and part.cases is not None:
            ends = [end for case in part.cases.values() for end in _variants(case)]
        said = [begin + end for begin in said for end in ends]
    return said
