"""How many random fights a test plays: few in the suite, as many as are asked for in a wider run."""

import os


def seeds(usual: int) -> range:
    """Return the seeds of a test: `AFFRAY_SEEDS=30 pytest tests/serve/test_eyes.py` plays thirty of each."""
    return range(int(os.environ.get("AFFRAY_SEEDS", usual)))
