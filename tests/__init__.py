"""The tests, a package so that they can share ``tests.public`` wherever they run."""
