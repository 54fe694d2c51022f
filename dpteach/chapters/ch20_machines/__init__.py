"""Chapter 20: from mathematics to machines."""
