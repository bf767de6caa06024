"""`perudo calibrate`: the sheet to print, profiles from pictures of it, and a list of profiles.

The page does the same with the camera itself; this command uses pictures taken earlier.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.options import FILE_PATH, INPUT_PATH, state_option
from companion.cli.output import complain, fail, local_time, say, write_file
from companion.messages import languages
from companion.state_folder import as_owner_of

if TYPE_CHECKING:
    from calibration.profile import Profile
    from calibration.profiles import Profiles

_ANEW = "A table that is running reads by it once it is started anew."


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def calibrate() -> None:
    """Calibrate the camera from pictures, and keep profiles. On the page it is done with the camera itself.

    In short: print the sheet, take five to twelve pictures of it held under the camera in every part of the picture,
    tipped in some, and one of it lying flat on the table; then `perudo calibrate from PICTURES... --flat PICTURE
    --name NAME`.
    """


_state = state_option("The folder the profiles are in.")


@contextmanager
def _profiles(state: Path) -> Iterator[Profiles]:
    """The profiles in a state folder, as its owner. Ends the command if a profile is refused or cannot be used."""
    from calibration.profile import ProfileError
    from calibration.profiles import Profiles

    try:
        with as_owner_of(state):
            yield Profiles.of(state)
    except ProfileError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or 'the profiles'}: {error.strerror or error}")


@calibrate.command()
@click.option("--paper", type=click.Choice(("a4", "letter")), default="a4", show_default=True, help="The printer's.")
@click.option("--language", type=click.Choice([each.id for each in languages.offered()]), metavar="LANGUAGE",
              default="en", show_default=True, help="Of its words, as fr.")  # fmt: skip
@click.option("--out", type=FILE_PATH, metavar="FILE.pdf",
              help="Where to write it.  [default: perudo-sheet-PAPER.pdf here]")  # fmt: skip
def board(paper: str, language: str, out: Path | None) -> None:
    """Write the calibration sheet as a PDF, to print at 100 %."""
    from calibration.sheet.board import PAPERS, RULER_MM
    from calibration.sheet.pdf import sheet_pdf

    file = out or Path(f"perudo-sheet-{paper}.pdf")
    write_file(file, sheet_pdf(paper, language))
    say(
        f"{file}: the sheet for {PAPERS[paper].name}.",
        "Print it at 100 %, not fitted to the page, and stick it flat on a stiff board.",
        f"Measure the printed ruler: where it is not {RULER_MM:g} mm long, give its length as --ruler.",
    )


@calibrate.command(name="from")
@click.argument("pictures", metavar="PICTURE...", nargs=-1, required=True, type=INPUT_PATH)
@click.option(
    "--name", required=True, help="What to call the profile; one of that name is replaced, and can be undone."
)
@click.option("--flat", type=INPUT_PATH, metavar="PICTURE", help="In which the sheet lies flat on the table.")
@click.option("--colours", type=INPUT_PATH, metavar="PICTURE",
              help="With one die or all dice of every player, no sheet.")  # fmt: skip
@click.option("--square", type=float, metavar="MM", help="The side of the sheet's squares, as on a tablet's screen.")
@click.option("--ruler", type=float, metavar="MM", help="How long the printed ruler of 100 mm is.")
@click.option("--camera", default="", metavar="MODEL",
              help="imx708, imx708_wide, imx219 or ov5647: with --flat alone, its lens is assumed.")  # fmt: skip
@click.option("--die", type=click.FloatRange(5, 60), default=16.0, show_default=True, metavar="MM",
              help="The side of the dice.")  # fmt: skip
@click.option("--use/--no-use", default=True, show_default=True, help="Read by it from now on.")
@_state
def from_(pictures: tuple[Path, ...], name: str, use: bool, state: Path, **measures: Any) -> None:
    """Make a profile from PICTURES of the sheet, and say how good it is.

    Five to twelve of one size give the lens; --flat gives the table; --colours, the dice's colours. The exit status is
    1 when the pictures do not do, 2 when the profile cannot be kept.
    """
    from companion.features.calibration.album import Album, AlbumError, profile_from

    album = Album(pictures=pictures, name=name, **measures)
    with _profiles(state) as profiles:
        before = next((each for each in profiles.all() if each.name.casefold() == name.casefold()), None)
    try:
        profile, reference = profile_from(album, before, say)  # the caller's pictures
    except AlbumError as error:
        complain(str(error), "calibrate from")
        raise click.exceptions.Exit(1) from error
    with _profiles(state) as profiles:
        saved = profiles.save(profile, reference)
        if use:
            profiles.use(saved.name)
        say("", *_before_and_after(before, saved))
        say(f"{saved.name} is kept in {profiles.path(saved.name)}{', and in use' if use else ''}.")
        if before is not None:
            say(f'What it was before: perudo calibrate undo "{saved.name}"')
        if use:
            say(_ANEW)


def _before_and_after(before: Profile | None, after: Profile) -> list[str]:
    if before is None:
        return [_measured(after)]
    return [f"before: {_measured(before)}", f"now:    {_measured(after)}"]


def _measured(profile: Profile) -> str:
    """A profile's figures in one line."""
    quality = profile.measured
    parts = []
    if profile.lens is None:
        parts.append("no lens")
    elif quality is None or not quality.views:
        parts.append("lens assumed")
    else:
        parts.append(f"lens to {quality.error_px:.2f} px in {quality.views} pictures")
    if profile.table is None:
        parts.append("no table")
    elif quality is None or not quality.height_mm:
        parts.append("table")
    else:
        parts.append(f"camera {quality.height_mm / 10:.0f} cm up, {quality.tilt:.0f} degrees tilted")
        parts.append(f"scale to {100 * quality.scale_error:.1f} %")
    parts.append(f"{len(profile.palette)} colours" if profile.palette else "no colours")
    return ", ".join(parts)


@calibrate.command(name="list")
@_state
def list_(state: Path) -> None:
    """List the profiles; the one in use has a star."""
    from calibration.profile import ProfileError

    with _profiles(state) as profiles:
        readable, damaged = profiles.all(), profiles.damaged()
        try:
            used = profiles.in_use
        except ProfileError:  # it is listed as damaged
            used = None
            damaged += ("The profile in use is damaged: perudo calibrate use NAME takes another, --none none.",)
    if not readable:
        say(f"There are no profiles in {profiles.folder} yet.")
    for each in readable:
        star = "*" if used is not None and each.name == used.name else " "
        say(f"{star} {each.name}  {local_time(each.made)}  {_measured(each)}")
    for sentence in damaged:
        say(f"! {sentence}")


@calibrate.command()
@click.argument("name", required=False)
@click.option("--none", "nothing", is_flag=True, help="Read without any profile.")
@_state
def use(name: str | None, nothing: bool, state: Path) -> None:
    """Read by the profile NAME from now on. A table that is running has to be started anew for that."""
    if nothing == (name is not None):
        raise click.UsageError("Give the NAME of a profile, or --none.")
    with _profiles(state) as profiles:
        profiles.use(name)
    if name is None:
        say("No profile is in use.")
    else:
        say(f"{name} is in use.", _ANEW)


@calibrate.command()
@click.argument("name")
@_state
def undo(name: str, state: Path) -> None:
    """Bring back what NAME was before; a second undo undoes the first."""
    with _profiles(state) as profiles:
        before = profiles.get(name)
        now = profiles.undo(name)
    say(*_before_and_after(before, now))


@calibrate.command()
@click.argument("name")
@click.argument("to", metavar="NEW-NAME")
@_state
def rename(name: str, to: str, state: Path) -> None:
    """Give the profile NAME another name."""
    with _profiles(state) as profiles:
        profiles.rename(name, to)
    say(f"{name} is now called {to}.")


@calibrate.command()
@click.argument("name")
@_state
def remove(name: str, state: Path) -> None:
    """Remove the profile NAME for good, with its earlier version."""
    with _profiles(state) as profiles:
        profiles.remove(name)
    say(f"{name} is gone.")


@calibrate.command()
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True, type=INPUT_PATH)
@click.option("--name", help="The profile.  [default: the one in use]")
@click.option("--dice", type=click.IntRange(1), metavar="N", help="How many dice lie there.")
@_state
@click.pass_context
def check(context: click.Context, photos: tuple[Path, ...], name: str | None, dice: int | None, state: Path) -> None:
    """Read each PHOTO with the profile and without it, and compare.

    The exit status is 1 when any is not at least usable with it.
    """
    from companion.features.calibration.album import AlbumError, are_usable

    with _profiles(state) as profiles:
        profile = profiles.get(name) if name is not None else profiles.in_use
    try:
        good = are_usable(photos, profile, dice, say)
    except AlbumError as error:
        fail(str(error))
    context.exit(0 if good else 1)
