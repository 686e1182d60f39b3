"""The viewer: a whole log as one HTML file that opens in any browser, without a network."""

from affray.replay.viewer.document import (
    build,
    checker,
    live_page,
    log_lines,
    overlay_page,
    policy_of,
)

__all__ = ["build", "checker", "live_page", "log_lines", "overlay_page", "policy_of"]
