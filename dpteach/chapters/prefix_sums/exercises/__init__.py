"""The exercises of chapter 12."""
