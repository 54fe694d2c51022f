"""The book's table of symbols, `book/notation.yml`; the wheel contains a copy."""

from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


@cache
def notation() -> dict[str, dict[str, Any]]:
    """Read the table: for each keyword of the package its symbol, name and unit.

    Returns
    -------
    dict
        One row for each keyword.

    Raises
    ------
    FileNotFoundError
        If the package was installed without its table.

    Examples
    --------
    >>> notation()["noise_multiplier"]["symbol"]
    'λ'
    """
    import yaml  # only figures with sliders pay for it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same, ten times faster
    for file in (_HERE / "notation.yml", _HERE.parents[1] / "book" / "notation.yml"):
        if file.exists():
            return yaml.load(file.read_text(encoding="utf-8"), Loader=loader)
    raise FileNotFoundError(
        f"{_HERE / 'notation.yml'} is missing: the package was built without it. "
        "Install it again, as with 'pip install .'."
    )


def row(key: str) -> dict[str, Any]:
    """Find the row of one keyword.

    Parameters
    ----------
    key : str
        A public keyword, such as ``"epsilon"``.

    Returns
    -------
    dict
        With ``symbol``, ``name`` and ``unit`` at least.

    Raises
    ------
    ValueError
        If the table has no such row.

    Examples
    --------
    >>> row("steps")["symbol"]
    'T'
    """
    table = notation()
    if key not in table:
        raise ValueError(
            f"`{key}` must be a row of book/notation.yml, which names its symbol, "
            f"got {key!r}. Add the row first."
        )
    return table[key]
