"""Floor 2. The accountants: each one bounds δ at an ε, and ε at a δ."""
