"""The differences between the rulebooks, one field each. `bidding`, `judging` and `position` hold the shared rules.

The sources, by id: `asmodee-fr`, `asmodee-nl`, `asmodee-nl-2` and `asmodee-it` (Cosmo Fry & Alfredo Fernandini, French,
Dutch with a lid, Dutch without one, Italian), `hasbro-1994` (Kenner Parker / Hasbro 1994, French) and `web-fr` (a
French web page).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FirstStarter(StrEnum):
    """How the opener of the first round is chosen."""

    RANDOM = "random"
    ONE_DIE = "one-die"
    """Each player rolls one die; the highest starts. Tied players roll again."""
    TWO_DICE = "two-dice"
    """Each player rolls two dice; the highest sum starts. Tied players roll again."""

    @property
    def dice(self) -> int:
        """How many dice each player rolls."""
        return {FirstStarter.RANDOM: 0, FirstStarter.ONE_DIE: 1, FirstStarter.TWO_DICE: 2}[self]


class Raises(StrEnum):
    """How a bid on a face 2-6 may be raised to a face 2-6."""

    ONE_OF_TWO = "one-of-two"
    """More dice of the same face or the same number of a higher face; not both at once."""
    ANY_FACE = "any-face"
    """More dice of any face, or the same number of a higher face."""


class LockedFace(StrEnum):
    """Who may change the locked face of a palifico round."""

    NOBODY = "nobody"
    FORMER_PALIFICO = "former-palifico"
    """A player with one die who is not this round's palifico; the new face is locked for the others."""


class CalzaBy(StrEnum):
    """Who may say calza. The bidder never may."""

    ANYONE = "anyone"
    """Anyone else, including the player on turn."""
    NOT_NEXT = "not-next"
    """Anyone else except the player on turn."""
    ON_TURN = "on-turn"
    """Only the player on turn."""


class Cups(StrEnum):
    """The order in which cups are lifted at a reveal."""

    TOGETHER = "together"
    IN_ORDER = "in-order"
    """Clockwise, starting at the caller's left after dudo and at the caller after calza."""


class LostDice(StrEnum):
    """Where lost dice go."""

    LID = "lid"
    ASIDE = "aside"
    BOX = "box"
    BAG_OR_LID = "bag-or-lid"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One book's choice on each rule that differs. For house rules, use `dataclasses.replace(ruleset, ...)`."""

    id: str
    """The book's name in records, in the configuration and on the command line."""
    title: str
    """The book's name in a sentence."""
    language: str
    """The book's language, a two-letter code."""
    edition: str
    """The edition of the game that the book came with."""
    first_starter: FirstStarter
    """Who opens the first round. The Asmodee books, preparation: at random. `hasbro-1994`, "Préparation du jeu": one
    die each; ties are rolled again (our decision: the book does not say). `web-fr`, "Comment jouer": two dice each."""
    raises: Raises
    """How a bid on a face 2-6 is raised to a face 2-6. The Asmodee books, "Surenchère" and its translations: one
    of two ways only. `hasbro-1994`, "Une proposition supérieure": more dice of any face. `web-fr` asks for a higher
    number or a higher value; we read that as `hasbro-1994`."""
    palifico_opens_on_pacos: bool
    """Whether the palifico may open the round on pacos. The Asmodee books, "On ne peut pas commencer avec des paco"
    and its translations, and `hasbro-1994`, "Attention": yes, the palifico alone. `web-fr`, "Cas particuliers":
    never."""
    locked_face_changed_by: LockedFace
    """Who may change the locked face of a palifico round. `hasbro-1994`, "Les cas particuliers": a former palifico,
    by the book's normal raises with pacos below 2 (our decision). All others: nobody."""
    palifico_again: bool
    """Whether a player who regains a die and loses it is palifico again. `hasbro-1994`, "Les cas particuliers": no,
    only once per game. The others: whenever a player is down to one die."""
    calza_by: CalzaBy
    """Who may say calza. `asmodee-fr`, `asmodee-nl`, `asmodee-nl-2`, "Calza": anyone but the bidder. `asmodee-it`,
    "Calza": not the next player either. `hasbro-1994`, "Calza": not the next player, nor the bidder (our decision).
    `web-fr`, "La variante Calza": the player whose turn it is."""
    calza_in_palifico: bool
    """Whether calza may be said in a palifico round. `asmodee-it`, "Attenzione": no. The others do not forbid it."""
    calza_with_two: bool
    """Whether calza may be said with two players left. `asmodee-it`, "Attenzione": no. The others do not forbid it
    (under `hasbro-1994` nobody is left to say it)."""
    cups: Cups
    """The order in which cups are lifted. `hasbro-1994`, "Découvrez vos dés" and "Calza": in order. The others: all
    together."""
    lost_dice: LostDice
    """Where lost dice go. `asmodee-fr`, `asmodee-nl`: under the lid. `asmodee-nl-2`: in the middle of the table.
    `asmodee-it`: in the box. `hasbro-1994`, "Les dés perdus", and `web-fr`: in the bag or under the lid."""
    lost_dice_may_be_open: bool
    """Whether the book has an optional rule that everybody can see the lost dice. `asmodee-nl`, `asmodee-nl-2` and
    `asmodee-it`, the last optional rule: yes. The others keep them hidden."""
