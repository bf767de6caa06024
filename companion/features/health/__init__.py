"""How the box is: the doctor's findings, the log, a report of a bug, figures, and what the host does about it."""
