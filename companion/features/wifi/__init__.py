"""Wi-Fi without a keyboard: the box's own network when it knows none, and joining another one from a phone."""
