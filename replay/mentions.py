"""Whether a text names somebody: by id, by the name of the sheet, or by its first part."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping

from affray.replay.people import names_of

NAMES_HIDDEN = "names what is hidden"
"""Why something is held back that names somebody who is."""

ENDINGS = ("", "s", "es")
"""What may stand behind a name without making another word of it."""


class Mentions:
    """Looks for some combatants in texts, and tells them from all others.

    Case, forms of Unicode, and blanks, hyphens and underscores make no difference; signs that are not seen do
    not count. A name is found where it stands as a word of its own, or in the plural; where a script puts no
    blanks between words, anywhere.
    """

    def __init__(self, sheets: Mapping[str, str], wanted: Iterable[str]) -> None:
        """Look for the ids `wanted` of those in `sheets` (id -> the sheet's name).

        A name that somebody else bears too is nobody's in particular.
        """
        self.ids = frozenset(wanted)
        self.others = frozenset(sheets) - self.ids
        known = {one for id in self.others for one in _called(id, sheets[id])}
        own = {one for id in self.ids for one in _called(id, sheets.get(id, ""))}
        sought = {plain(id) for id in self.ids} | (own - known)
        self._sought = tuple(sorted(sought - {""}))
        # Longer names of others may hold one of these: what is theirs is taken out first.
        longer = (one for one in known if one not in sought and any(word in one for word in self._sought))
        masks = sorted(longer, key=len, reverse=True)
        self._masks = re.compile("|".join(map(re.escape, masks))) if masks else None

    def is_one(self, word: str) -> bool:
        """Say whether a word that should be the id of a combatant means one of those."""
        if word in self.ids:
            return True
        return word not in self.others and self.within(word)

    def within(self, text: str, echoes: Collection[str] = ()) -> bool:
        """Say whether a text names one of those, but where it repeats one of the `echoes`."""
        if not self._sought:
            return False
        found = plain(text)
        if echoes:
            repeated = sorted(filter(None, map(plain, echoes)), key=len, reverse=True)
            found = re.sub("|".join(map(re.escape, repeated)) or "$^", _masked, found)
        if self._masks is not None:
            found = self._masks.sub(_masked, found)
        return any(_stands_in(word, found) for word in self._sought)


def plain(text: str) -> str:
    """Return a text as it is compared: what is not seen taken out, and what looks alike made alike."""
    seen = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
    folded = unicodedata.normalize("NFKC", seen.casefold())
    return " ".join(folded.replace("_", " ").replace("-", " ").split())


def _called(id: str, name: str) -> set[str]:
    return {plain(one) for one in (id, name, *names_of(name))} - {""}


def _masked(found: re.Match[str]) -> str:
    """Take another's name out of a text, but not out of the middle of a word."""
    text, (start, end) = found.string, found.span()
    if _joined(text[start - 1 : start], text[start]) or _joined(text[end - 1], text[end : end + 1]):
        return found[0]
    return "\0"


def _stands_in(word: str, text: str) -> bool:
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not _joined(text[at - 1 : at], word[0]) and _ends(word, text[end : end + 3]):
            return True
        at = text.find(word, at + 1)
    return False


def _ends(word: str, rest: str) -> bool:
    if not _joined(word[-1], rest[:1]):
        return True
    return any(rest.startswith(one) and not _joined(one, rest[len(one) :][:1]) for one in ENDINGS if one)


def _joined(one: str, other: str) -> bool:
    """Say whether two signs side by side belong to one word, in scripts that set words apart."""
    return bool(one) and bool(other) and _of_a_word(one[-1]) and _of_a_word(other[0])


def _of_a_word(sign: str) -> bool:
    return sign.isdecimal() or sign.lower() != sign.upper()
