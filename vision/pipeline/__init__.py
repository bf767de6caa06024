"""From a frame to readings of single dice, step by step."""
