"""The viewer: a whole log as one HTML file that opens in any browser, without a network."""

from affray.replay.viewer.document import build, log_lines
from affray.replay.viewer.pages import checker

__all__ = ["build", "checker", "log_lines"]
