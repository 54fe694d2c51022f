"""Make the copies in dpteach/data/copies from scikit-learn's, and print their sums.

Run it as ``python tests/data/make_copies.py`` only to rebuild the copies; the sums that
it prints then belong in dpteach/data/real.py.
"""

import hashlib
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits

COPIES = Path(__file__).parents[2] / "dpteach" / "data" / "copies"


def originals() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Load (X, y) of each set as scikit-learn has it, in the smallest exact type."""
    digits = load_digits()
    cells = load_breast_cancer()
    patients = load_diabetes(scaled=False)
    return {
        "digits": (digits.data.astype(np.uint8), digits.target.astype(np.uint8)),
        "breast_cancer": (cells.data, cells.target.astype(np.uint8)),
        "diabetes": (patients.data, patients.target.astype(np.uint16)),
    }


def main() -> None:
    """Write the copies."""
    for name, (X, y) in originals().items():
        path = COPIES / f"{name}.npz"
        np.savez_compressed(path, X=X, y=y)
        content = path.read_bytes()
        print(name, len(content), hashlib.sha256(content).hexdigest())


if __name__ == "__main__":
    main()
