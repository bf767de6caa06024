"""New versions of the program."""
