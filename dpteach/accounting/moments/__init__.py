"""Floor 2. Moments of privacy losses, and what they say about δ."""
