"""Messages to people, in English and translatable."""
