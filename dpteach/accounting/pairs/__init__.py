"""Floor 2. An event as releases, and the dominating pair of each kind of release."""
