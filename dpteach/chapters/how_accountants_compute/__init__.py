"""Chapter 4: How accountants compute."""
