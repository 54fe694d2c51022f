"""The order of the files: those that take long come first.

Workers are handed whole files, in this order; a long one at the end would leave the
others idle.
"""


def pytest_collection_modifyitems(items) -> None:
    """Move files with a slow test, or one in a browser, to the front."""
    long = {
        item.path
        for item in items
        if item.get_closest_marker("slow") or item.get_closest_marker("browser")
    }
    items.sort(key=lambda item: item.path not in long)
