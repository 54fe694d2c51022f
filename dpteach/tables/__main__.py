"""Run ``python -m dpteach.tables``."""

import sys

from .command import main

sys.exit(main())
