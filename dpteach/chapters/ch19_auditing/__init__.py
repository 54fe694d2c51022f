"""Chapter 19: auditing."""
