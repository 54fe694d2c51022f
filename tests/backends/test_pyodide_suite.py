"""The tests pass on the 32 bits of a page's Python.

Where ``DPTEACH_BACKENDS`` names ``pyodide``. It takes minutes, and stands by itself so
that it can run beside ``test_pyodide.py``.
"""

from tests.pyodide.node import node


def test_the_tests_that_need_numpy_alone_pass():
    """Some four hundred; the script fails if there come to be far fewer."""
    done = node("BARE", "suite.py")
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-5000:]
