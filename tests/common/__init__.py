"""Tables of algorithms that have the properties common to all; see test_common."""
