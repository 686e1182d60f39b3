"""The comments of a text of the notation, kept beside the log that it became, and written again with it."""

from typing import Any

import msgspec

from affray.events.store import Store

_NOTE = "comments of the notation"

Comments = dict[str, list[tuple[int, str, bool]]]
"""By line of play: before which of its declarations and events a comment stands, its words, and whether it
stands behind them on their line."""


def keep_comments(store: Store, comments: Comments) -> None:
    """Keep the comments beside the log, if there are any."""
    if any(comments.values()):
        store.keep_note(_NOTE, msgspec.json.encode(comments))


def kept_comments(store: Store) -> Comments:
    """Return the comments that are kept beside a log; none where they cannot be read."""
    kept = store.note(_NOTE)
    found: Any = {}
    if kept:
        try:
            found = msgspec.json.decode(kept, type=Comments)
        except msgspec.MsgspecError:
            found = {}
    return dict(found)
