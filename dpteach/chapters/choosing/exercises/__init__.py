"""The exercises of chapter 24."""
