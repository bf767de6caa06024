"""What is said to people: messages that other languages can be made from, and English."""
