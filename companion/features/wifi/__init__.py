"""Wi-Fi without a keyboard: the box opens its own network if it knows none, and joins another chosen on a phone."""
