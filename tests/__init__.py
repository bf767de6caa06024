"""The tests, and the fakes and benchmarks that go with them."""
