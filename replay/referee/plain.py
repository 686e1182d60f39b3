"""Attack logs as people type them, `Gharm attacks Ysolde: hit (12 + 7 = 19)`; what `affray play` tells."""

from affray.replay.referee.claims import Claims
from affray.replay.referee.written import read_lines


def read_plain(text: str) -> Claims:
    """Return what a plain log says; each line stands for itself, with those that follow without a gap."""
    return read_lines("plain", text.split("\n"), _nobody)


def _nobody(line: str) -> tuple[str, str] | None:
    return None
