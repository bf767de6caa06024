"""The differences between the rulebooks, as data: one field a difference.

What all books share stands in the code of `bidding`, `judging` and `position`. The sources are named by their id:
`asmodee-fr`, `asmodee-nl`, `asmodee-nl-2` and `asmodee-it` (Cosmo Fry & Alfredo Fernandini, French, Dutch with a lid,
Dutch without one, Italian), `hasbro-1994` (Kenner Parker / Hasbro 1994, French) and `web-fr` (a French web page).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FirstStarter(StrEnum):
    """How the opener of the first round is found."""

    RANDOM = "random"
    """Drawn at random."""
    ONE_DIE = "one-die"
    """Each player rolls one die, the highest starts; the tied roll again."""
    TWO_DICE = "two-dice"
    """Each player rolls two dice, the highest sum starts; the tied roll again."""


class Raises(StrEnum):
    """What raises a bid on a face 2-6 to another bid on a face 2-6."""

    ONE_OF_TWO = "one-of-two"
    """More dice of the same face, or as many dice of a higher face; never both at once."""
    ANY_FACE = "any-face"
    """More dice of any face, or as many dice of a higher face."""


class LockedFace(StrEnum):
    """Who may change the face that the opening bid of a palifico round locks."""

    NOBODY = "nobody"
    FORMER_PALIFICO = "former-palifico"
    """A player with one die who is not the palifico of this round; the new face is locked for the others."""


class CalzaBy(StrEnum):
    """Who may say calza. The bidder never may."""

    ANYONE = "anyone"
    """Anyone but the bidder, the player on turn included."""
    NOT_NEXT = "not-next"
    """Anyone but the bidder and the player on turn."""
    ON_TURN = "on-turn"
    """The player on turn only."""


class Cups(StrEnum):
    """How the cups are lifted at a reveal."""

    TOGETHER = "together"
    IN_ORDER = "in-order"
    """Clockwise: after dudo from the caller's left, after calza from the caller."""


class LostDice(StrEnum):
    """Where lost dice go."""

    LID = "lid"
    ASIDE = "aside"
    BOX = "box"
    BAG_OR_LID = "bag-or-lid"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of one book where the books differ. House rules are `dataclasses.replace(ruleset, ...)`."""

    id: str
    """The name used in records, in the configuration and on the command line."""
    title: str
    """What to call the book in a sentence."""
    language: str
    """The language of the book, a two-letter code."""
    edition: str
    """Which edition the book came with."""
    first_starter: FirstStarter
    """Who opens the first round. The Asmodee books, preparation: at random. `hasbro-1994`, "Préparation du jeu": one
    die each; it is silent on ties, which are rolled again (our decision). `web-fr`, "Comment jouer": two dice each."""
    raises: Raises
    """How a bid on a face 2-6 is raised to a face 2-6. The Asmodee books, "Surenchère" and its translations: one
    of two ways only. `hasbro-1994`, "Une proposition supérieure": more dice of any face. `web-fr` asks for a higher
    number or a higher value, which we read as `hasbro-1994`."""
    palifico_opens_on_pacos: bool
    """Whether the palifico may open the round on pacos. The Asmodee books, "On ne peut pas commencer avec des paco"
    and its translations, and `hasbro-1994`, "Attention": yes, the palifico alone. `web-fr`, "Cas particuliers":
    never."""
    locked_face_changed_by: LockedFace
    """Who may change the locked face of a palifico round. `hasbro-1994`, "Les cas particuliers": a former palifico;
    which raises that allows is our decision: those of the book's normal order, with pacos below 2. All others:
    nobody."""
    palifico_again: bool
    """Whether a player who regains a die and loses it is palifico again. `hasbro-1994`, "Les cas particuliers": no,
    once a game. The others: whenever a player comes down to one die."""
    calza_by: CalzaBy
    """Who may say calza. `asmodee-fr`, `asmodee-nl`, `asmodee-nl-2`, "Calza": anyone but the bidder. `asmodee-it`,
    "Calza": not the next player either. `hasbro-1994`, "Calza": not the next player; the bidder is left out too (our
    decision). `web-fr`, "La variante Calza": the player whose turn it is."""
    calza_in_palifico: bool
    """Whether calza may be said in a palifico round. `asmodee-it`, "Attenzione": no. The others do not forbid it."""
    calza_with_two: bool
    """Whether calza may be said with two players left. `asmodee-it`, "Attenzione": no. The others do not forbid it
    (under `hasbro-1994` nobody is left who could say it)."""
    cups: Cups
    """In which order cups are lifted. `hasbro-1994`, "Découvrez vos dés" and "Calza": in order. The others: all
    together."""
    lost_dice: LostDice
    """Where lost dice are kept. `asmodee-fr`, `asmodee-nl`: under the lid. `asmodee-nl-2`: laid away in the middle.
    `asmodee-it`: in the box. `hasbro-1994`, "Les dés perdus", and `web-fr`: in the bag or under the lid."""
    lost_dice_may_be_open: bool
    """Whether the book offers, as an option, lost dice that everybody can see. `asmodee-nl`, `asmodee-nl-2` and
    `asmodee-it`, the last optional rule: yes. The others keep them hidden."""
