"""The exercises of chapter 20."""
