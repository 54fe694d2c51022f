"""Chapter 16: A fleet of devices."""
