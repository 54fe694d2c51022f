"""Write two numbers that differ so that a reader sees it."""


def apart(found: float, limit: float) -> tuple[str, str]:
    """Write both with as many digits as it takes, and at least five."""
    for digits in (5, 8, 12):
        if f"{found:.{digits}g}" != f"{limit:.{digits}g}":
            return f"{found:.{digits}g}", f"{limit:.{digits}g}"
    return repr(found), repr(limit)
