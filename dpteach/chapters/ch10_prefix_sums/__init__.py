"""Chapter 10: prefix sums."""
