"""Chapter 1: what privacy promises."""
