"""The record of the chapter on environment: what surroundings do."""

from affray.engine.record.chapter import Chapter


class Environment(Chapter, frozen=True, kw_only=True):
    """What surroundings do."""
