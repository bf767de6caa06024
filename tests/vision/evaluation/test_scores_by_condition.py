"""The figures of all conditions add up to the overall figures, whatever the conditions are."""

from __future__ import annotations

from collections import Counter

from vision.evaluation.scores import Conditions, Label, PhotoResult, Truth, evaluate_photo
from vision.evaluation.scores_by_condition import NOT_LABELLED, ConditionTable, condition_tables
from vision.reading import Die


def photo(
    true: str, read: str, conditions: Conditions | None = None, dice: list[Conditions] | None = None, side: float = 40
) -> PhotoResult:
    """A photo of dice in a row. `read` has a value for each die, and a blank for a missed one."""
    boxes = [(200.0 * k, 0.0, side, side) for k in range(len(true))]
    labels = tuple(
        Label(int(face), box, conditions=dice[k] if dice else {})
        for k, (face, box) in enumerate(zip(true, boxes, strict=True))
    )
    detected = [Die(int(face), "red", box, 0.9) for face, box in zip(read, boxes, strict=True) if face != " "]
    return evaluate_photo("a.jpg", Truth(labels, Counter(label.face for label in labels), conditions or {}), detected)


def rows(table: ConditionTable) -> dict[str, tuple[int, int, int, int]]:
    """group -> photos, dice, right, missed."""
    return {group: (s.photos, s.dice, s.right, s.missed) for group, s in table.rows.items()}


def named(photos: list[PhotoResult], name: str) -> ConditionTable:
    return next(table for table in condition_tables(photos) if table.name == name)


def test_photos_are_grouped_by_their_number_of_dice() -> None:
    photos = [photo("1", "1"), photo("12345", "1234 "), photo("123456", "123456"), photo("1" * 16, "1" * 16)]
    assert rows(named(photos, "dice in the photo")) == {
        "1-5": (2, 6, 5, 1), "6-15": (1, 6, 6, 0), "16 or more": (1, 16, 16, 0),
    }  # fmt: skip


def test_dice_are_grouped_by_their_width() -> None:
    photos = [photo("12", "13", side=s) for s in (29, 30, 59, 60, 119, 120)]
    table = named(photos, "width of the die")
    assert table.of == "dice"
    assert rows(table) == {
        "under 30 px": (0, 2, 1, 0),
        "30-60 px": (0, 4, 2, 0),
        "60-120 px": (0, 4, 2, 0),
        "120 px or more": (0, 2, 1, 0),
    }


def test_photos_and_dice_are_grouped_by_the_conditions_in_their_labels() -> None:
    photos = [
        photo("12", "1 ", {"light": "side"}, [{"pips": True}, {"pips": False}]),
        photo("3", "3", {"light": "dim"}, [{"pips": True}]),
        photo("4", "4"),
    ]
    assert rows(named(photos, "light")) == {"dim": (1, 1, 1, 0), "side": (1, 2, 1, 1), NOT_LABELLED: (1, 1, 1, 0)}
    assert rows(named(photos, "pips")) == {"no": (0, 1, 0, 1), "yes": (0, 2, 2, 0), NOT_LABELLED: (0, 1, 1, 0)}


def test_many_numbers_become_ranges_and_few_stay_as_they_are() -> None:
    many = [photo("1", "1", {"tilt": k / 2}) for k in range(20)]
    assert rows(named(many, "tilt")) == {
        "0 to 2": (5, 5, 5, 0), "2.5 to 4.5": (5, 5, 5, 0), "5 to 7": (5, 5, 5, 0), "7.5 to 9.5": (5, 5, 5, 0),
    }  # fmt: skip
    few = [photo("1", "1", {"players": 2 + k % 3}) for k in range(20)]
    assert list(rows(named(few, "players"))) == ["2", "3", "4"]


def test_too_many_words_are_grouped() -> None:
    photos = [photo("1", "1", {"room": f"room {k % 30:02}"}) for k in range(50)]
    groups = rows(named(photos, "room"))
    assert len(groups) == 21
    assert groups["other"] == (10, 10, 10, 0)
    assert sum(n for n, *_ in groups.values()) == 50


def test_photos_with_only_counts_have_no_conditions_of_dice() -> None:
    photos = [evaluate_photo("a.jpg", Truth(None, {3: 2}), [Die(3, "red", (0, 0, 9, 9), 0.9)])]
    (table,) = condition_tables(photos)
    assert rows(table) == {"1-5": (1, 2, 1, 1)}
