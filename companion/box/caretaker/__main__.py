"""What perudo-caretaker.service runs."""

import logging

from companion.box.caretaker.caretaker import Caretaker, answer_once
from companion.box.release.versions import Versions
from companion.box.service.install_steps import Machine

logging.basicConfig(level=logging.INFO, format="%(message)s")
machine = Machine()
answer_once(Caretaker(Versions(), machine), machine)
