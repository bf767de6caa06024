"""`perudo certificate`: creates the box's own certificate, so that browsers keep the screen awake."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import click

from companion.cli.doctor import service_or_own_state
from companion.cli.options import FOLDER_PATH
from companion.cli.output import fail, say
from companion.state_folder import as_owner_of


@click.command()
@click.option("--state", type=FOLDER_PATH, metavar="DIR",
              help="The folder of the games.  [default: the service's, else the user's]")  # fmt: skip
@click.option("--remove", is_flag=True, help="Take the certificate away. The page is there over http as before.")
def certificate(state: Path | None, remove: bool) -> None:
    """Make this box's own certificate authority, and the certificate for its page over https.

    Browsers keep a screen awake only over https, from somebody they trust. The page http://.../box says how to install
    the authority on a tablet or phone. It can vouch for names and addresses inside a house, and for nothing else.
    Called again, the command keeps it, and renews the page's certificate if it has to.
    """
    from companion.features.https.certificates import CertificateError

    state = state or service_or_own_state()
    try:
        if remove:
            _remove(state)
        else:
            _make(state)
    except CertificateError as error:
        fail(f"{error}.")


def _make(state: Path) -> None:
    from companion.box.doctor.configuration import web_config
    from companion.features.https.service import secure_site
    from companion.page_address import PageAddress, local_name

    web = web_config()
    page = PageAddress(web.host, web.port)
    site, address = secure_site(state, page, web.names), page.urls[0]
    with as_owner_of(state):
        authority = site.make()
    say(
        f"The certificates are in {state / 'https'}. Fingerprint of the authority (SHA-256):",
        authority.fingerprint,
        "",
        "A program that runs finds them within seconds. Then:",
        f'1. On the tablet or telephone, open {address}box and its section "Keep the screen awake".',
        "2. Do what it says for that device; compare the fingerprint with the one above.",
        f"3. From then on, open https://{local_name() or urlsplit(address).hostname}:{web.secure_port}/ on it.",
        "Whoever does nothing plays over http, as before. `perudo certificate --remove` takes it all away.",
    )


def _remove(state: Path) -> None:
    from companion.features.https.certificates import remove_certificates

    with as_owner_of(state):
        removed = remove_certificates(state)
    if removed:
        say(
            "The certificates are gone, and a program that runs ends https within seconds. Devices that installed the "
            'authority ("Perudo box ...") can forget it, too.'
        )
    else:
        say(f"There are no certificates in {state}.", err=True)
