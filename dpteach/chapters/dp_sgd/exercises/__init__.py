"""The exercises of chapter 9."""
