"""The rules that differ between rulebooks, and the rules that people change at home, one field each. Rules that never
change are in `bidding`, `judging` and `position`.

The sources, by id: `asmodee-fr`, `asmodee-nl`, `asmodee-nl-2` and `asmodee-it` (Cosmo Fry & Alfredo Fernandini, French,
Dutch with a lid, Dutch without one, Italian), `hasbro-1994` (Kenner Parker / Hasbro 1994, French) and `web-fr` (a
French web page).

Fields with a default are house rules: no book differs on them. If a web page describes one, the field's docstring names
it; "house" means that it is only known from tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class FirstStarter(StrEnum):
    """How the opener of the first round is chosen."""

    RANDOM = "random"
    ONE_DIE = "one-die"
    """Each player rolls one die; the highest starts. Tied players roll again."""
    TWO_DICE = "two-dice"
    """Each player rolls two dice; the highest sum starts. Tied players roll again."""

    @property
    def dice(self) -> int:
        """The number of dice that each player rolls."""
        return {FirstStarter.RANDOM: 0, FirstStarter.ONE_DIE: 1, FirstStarter.TWO_DICE: 2}[self]


class Raises(StrEnum):
    """How a bid on a face 2-6 may be raised to a face 2-6."""

    ONE_OF_TWO = "one-of-two"
    """More dice of the same face or the same number of a higher face; not both at once."""
    ANY_FACE = "any-face"
    """More dice of any face, or the same number of a higher face."""
    HIGHER_FACE = "higher-face"
    """More dice of the same face, or any number of a higher face."""


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


class LeavingPacos(StrEnum):
    """How many dice of another face a bid after a bid on pacos needs."""

    TWICE_PLUS_ONE = "twice-plus-one"
    TWICE = "twice"

    def least(self, pacos: int) -> int:
        """The lowest count after a bid of this many pacos."""
        return 2 * pacos + (self is LeavingPacos.TWICE_PLUS_ONE)


class HalfRounded(StrEnum):
    """How half of an odd number of dice is rounded, where a bid on pacos follows one on another face."""

    UP = "up"
    DOWN = "down"
    """But at least one."""

    def least(self, count: int) -> int:
        """The lowest number of pacos after a bid of this many of another face."""
        return (count + 1) // 2 if self is HalfRounded.UP else max(1, count // 2)


class PalificoRounds(StrEnum):
    """When a player who comes down to one die opens a palifico round."""

    ALWAYS = "always"
    NOT_WITH_TWO = "not-with-two"
    """Not once only two players have dice."""
    NEVER = "never"


class DudoBy(StrEnum):
    """Who may say dudo."""

    ON_TURN = "on-turn"
    """Only the player on turn."""
    ANYONE = "anyone"
    """Anyone but the bidder."""


class DudoCosts(StrEnum):
    """How many dice the loser of a dudo loses."""

    ONE = "one"
    DIFFERENCE = "difference"
    """As many as the difference between bid and tally, at least one."""


class OpensAfterDudo(StrEnum):
    """Who opens the round after a dudo."""

    LOSER = "loser"
    WINNER = "winner"


class RightCalza(StrEnum):
    """What a right calza does."""

    TAKES_BACK = "takes-back"
    """The caller takes back a lost die."""
    BIDDER_LOSES = "bidder-loses"
    """The bidder loses one."""


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


BOUNDS: Mapping[str, range] = MappingProxyType({"dice_each": range(3, 7), "most_players": range(6, 9)})
"""The possible values of the rules that are numbers."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of a book, or of a table. For house rules, use `dataclasses.replace(ruleset, ...)`."""

    id: str
    """The book's name in records, in the configuration and on the command line."""
    name: str
    """What a family calls it: one to three words that name the difference at the table."""
    difference: str
    """That difference, in one line."""
    title: str
    """The publisher and the language of the book."""
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
    number or a higher value; we read that as `hasbro-1994`. Wikipedia, "Liar's dice": any number of a higher face. That
    the bids do not begin anew by way of pacos is our decision."""
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
    opens_on_pacos: bool = False
    """Whether any round may be opened on pacos. House."""
    opened_on_pacos_wild: bool = True
    """Whether pacos stay wild in a round that was opened on them. "How to Play" of Bagos (stanis-molnar.github.io) and
    "Are ones wild in Liar's dice?" (zaro.info): ones bid first count as ones alone for that round. Then it is bid as
    where pacos are not wild (our decision)."""
    pacos_wild: bool = True
    """Whether pacos count as the bid's face. Wikipedia, "Liar's dice": ones may count as ones alone. Then a paco is the
    lowest face, on which rounds are opened and bids raised as on any other (our decision)."""
    leaving_pacos: LeavingPacos = LeavingPacos.TWICE_PLUS_ONE
    """How many dice a bid on another face needs after a bid on pacos. "Perudo" at frankyreloaded.com and others: twice
    as many. That four fours and two pacos do not follow each other for ever is our decision."""
    half_rounded: HalfRounded = HalfRounded.UP
    """How half of an odd number is rounded for a bid on pacos. House; the books round up. That seven threes and three
    pacos do not follow each other for ever is our decision."""
    bids_above_dice: bool = True
    """Whether a bid may be for more dice than are in play. OpenSpiel, "liars_dice": no bid is higher than the number of
    dice. Then nobody can raise a bid that is as high as a bid can be (our decision)."""
    palifico_rounds: PalificoRounds = PalificoRounds.ALWAYS
    """When there are palifico rounds. House; many play without them, or end them when two are left."""
    calza_once: bool = False
    """Whether each player may say calza only once a game. House."""
    calza_to_half: bool = False
    """Whether calza may be said only while at least half of the dice are left. House, in Chile. Half of all the dice
    that the players can have, whatever they began with (our decision)."""
    right_calza: RightCalza = RightCalza.TAKES_BACK
    """What a right calza does. House rule ("How do you play liars dice", math.answers.com): who made an exact bid
    loses a die. The caller opens the next round all the same, unless the bidder is palifico in it (our decision)."""
    dudo_by: DudoBy = DudoBy.ON_TURN
    """Who may say dudo. Wikipedia, "Liar's dice": in some games anybody may challenge. Of several at the same instant
    the turn player's stands, then the one nearest to the bidder's left (our decision)."""
    dudo_costs: DudoCosts = DudoCosts.ONE
    """How many dice a dudo costs. As in Richard Borg's "Bluff" (1993): the difference. A dudo on an exact bid costs the
    caller one die, and a wrong calza one (our decisions)."""
    opens_after_dudo: OpensAfterDudo = OpensAfterDudo.LOSER
    """Who opens the round after a dudo. "How to Play" of Bagos (stanis-molnar.github.io): who won it. The
    palifico opens a palifico round all the same (our decision)."""
    opener_chooses_direction: bool = False
    """Whether the opening bid says which way round the bids go. es.wikipedia.org, "Dudo (juego)": whoever begins
    chooses. Without a word they go on as in the round before, at first clockwise (our decision)."""
    dice_each: int = 5
    """How many dice each player starts with, and the most a player can have. House: 3 to 6."""
    most_players: int = 6
    """How many may play. House: with eight colours of dice up to 8."""

    @property
    def outranks_own_sort(self) -> bool:
        """True if a bid must also outrank the round's last bid of its own sort (on pacos, or on other faces).

        Under other rules bids rise anyway; under these, two bids could follow each other forever.
        """
        return (
            self.raises is Raises.HIGHER_FACE
            or self.leaving_pacos is LeavingPacos.TWICE
            or self.half_rounded is HalfRounded.DOWN
        )

    def has_palifico_rounds(self, players: int) -> bool:
        """True if there are palifico rounds while this many players have dice."""
        return self.palifico_rounds is PalificoRounds.ALWAYS or (
            self.palifico_rounds is PalificoRounds.NOT_WITH_TWO and players > 2
        )
