"""Floor 2. Rules that need no loss distribution: formulas, composition, conversions."""
