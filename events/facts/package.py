"""An installed package, as the log records it."""

from msgspec import Struct

from affray.events.facts.base import Name


class Package(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An installed package that a fight is played with: a dialect, or house rules for one.

    `name` is that of its entry point, `digest` the sha256 over its files, in hexadecimal digits.
    """

    name: Name
    version: Name
    digest: Name
