"""The features of the box: a folder each, with what it does, how phones reach it and what they see of it."""
