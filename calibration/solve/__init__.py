"""What is worked out from pictures: the lens, the colours, and a profile of both."""
