"""The health of the box: diagnoses, log, bug report, metrics, and the host's remedies."""
