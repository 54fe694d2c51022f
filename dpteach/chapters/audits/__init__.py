"""Chapter 22: auditing."""
