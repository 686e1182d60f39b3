"""The viewer: a whole log as one HTML file that opens in any browser, without a network."""

from affray.replay.viewer.pages import build, checker, log_lines

__all__ = ["build", "checker", "log_lines"]
