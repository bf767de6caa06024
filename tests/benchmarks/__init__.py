"""What things cost: run by hand, never by the tests."""
