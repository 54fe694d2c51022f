"""The exercises of chapter 18."""
