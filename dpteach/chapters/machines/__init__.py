"""Chapter 23: from mathematics to machines."""
