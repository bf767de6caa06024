"""The parts of the reference that are written from the code: `python -m docs.reference` writes them."""
