"""The exercises of the chapter on fleets."""
