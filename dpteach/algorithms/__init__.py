"""Floor 3. One file an algorithm, to be read beside its chapter."""
