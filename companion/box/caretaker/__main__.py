"""What perudo-caretaker.service runs."""

import logging

from companion.box.caretaker.caretaker import Caretaker, answer_once
from companion.box.release.versions import Versions
from companion.box.service import run_command

logging.basicConfig(level=logging.INFO, format="%(message)s")
answer_once(Caretaker(Versions(), run_command))
