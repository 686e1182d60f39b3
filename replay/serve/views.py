"""Views: what each of those who follow may see, found out once for all of them whenever it changes."""

from collections.abc import Mapping

from affray.replay.serve.access import Access, Guest
from affray.replay.serve.audience import GAME_MASTER, Audience, Entered, audience_of


class Views:
    """The audiences of all guests, as they were when the guests were last looked at.

    So that the guests' file is asked, and tokens are gone through, once for all who follow and not by each.
    """

    def __init__(self, access: Access) -> None:
        """Know the guests as they are now, in a fight of nobody."""
        self._access = access
        self._people: Mapping[str, Entered] = {}
        self._guests, self._hidden, self._count = access.known
        self._by_token: dict[str, Audience] | None = None

    def enter(self, people: Mapping[str, Entered]) -> None:
        """Know who has entered by now."""
        if people != self._people:
            self._people, self._by_token = people, None

    def look_again(self) -> bool:
        """Look at the guests again; say whether anything about them has changed since."""
        before = self._guests, self._hidden, self._count
        self._guests, self._hidden, self._count = self._access.known
        changed = before != (self._guests, self._hidden, self._count)
        if changed:
            self._by_token = None
        return changed

    def of(self, token: str) -> Audience | None:
        """Return what the guest with a token may see, None if there was none when they were looked at."""
        if self._by_token is None:
            self._by_token = {one.token: self._made(one, self._hidden, self._count) for one in self._guests}
        return self._by_token.get(token)

    def audience(self, guest: Guest) -> Audience:
        """Return what a guest may see by what is hidden this very moment."""
        _, hidden, views = self._access.known
        return self._made(guest, hidden, views)

    def _made(self, guest: Guest, hidden: tuple[str, ...], views: int) -> Audience:
        if guest.role == "game master":
            return GAME_MASTER
        return audience_of(guest.combatants, hidden, self._people, views)
