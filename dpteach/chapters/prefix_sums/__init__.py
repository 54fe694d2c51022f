"""Chapter 12: prefix sums."""
