"""A fleet of devices: who may take part, what all of it costs, and how it trains."""
