"""Floor 2. From dominating pairs to δ(ε): along a contour, or on a grid."""
