"""The exercises of chapter 23."""
