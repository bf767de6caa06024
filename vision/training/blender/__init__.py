"""Tables and single photographs, rendered with Blender: a second opinion about the reader, for measuring only."""
