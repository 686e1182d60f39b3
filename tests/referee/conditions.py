"""Conditions: put on by a fact, ended by a fact, none twice."""

from collections.abc import Iterator

from tests.referee.book import Book, Fact
from tests.referee.check import Check

RESTATED = ("flying", "climbing", "concentrating", "squeezed", "stooping", "beset")
"""Conditions that say where one is or what one does, and are told again as it goes on."""
GROUND = "in "
"""So begin the conditions of surroundings, which the game master may repeat, as any hazard."""


class Conditions(Check):
    """Conditions and effects come and go one at a time."""

    name = "conditions"

    def before_condition_gained(self, book: Book, fact: Fact) -> Iterator[str]:
        """Nobody gains what it has, just so."""
        name, held = fact["condition"], book.bodies[fact["who"]].conditions.get(fact["condition"])
        if held is None or name in RESTATED or name.startswith(GROUND) or book.act.get("act") == "hazard":
            return
        if fact["until"]["when"] == "concentration":
            return  # the same spell, cast anew
        if name == "prone" or (held.until, held.level, held.source) == (
            fact["until"],
            fact["level"],
            fact["source"],
        ):
            yield f"{fact['who']} becomes {name} again, by {fact['source']}"

    def before_condition_lost(self, book: Book, fact: Fact) -> Iterator[str]:
        """Nobody loses what it has not."""
        if fact["condition"] not in book.bodies[fact["who"]].conditions:
            yield f"{fact['who']} is not {fact['condition']} and loses it"

    def before_effect_gained(self, book: Book, fact: Fact) -> Iterator[str]:
        """No effect holds twice."""
        if fact["id"] in book.bodies[fact["who"]].effects:
            yield f"{fact['who']} is under {fact['id']} twice"

    def before_effect_ended(self, book: Book, fact: Fact) -> Iterator[str]:
        """No effect ends that does not hold."""
        if fact["id"] not in book.bodies[fact["who"]].effects:
            yield f"{fact['who']} is not under {fact['id']}, which ends"

    def before_mounted(self, book: Book, fact: Fact) -> Iterator[str]:
        """A saddle holds one rider, who sits in one saddle."""
        rider, mount = book.bodies[fact["who"]], book.bodies[fact["mount"]]
        if rider.mount or mount.rider:
            yield f"{rider.id} mounts {mount.id}: {rider.mount or mount.rider} was there"

    def before_dismounted(self, book: Book, fact: Fact) -> Iterator[str]:
        """Only a rider gets out of the saddle."""
        if book.bodies[fact["who"]].mount != fact["mount"]:
            yield f"{fact['who']} is not on {fact['mount']}"
