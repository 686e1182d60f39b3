"""Supplies: spells and missiles, each as often as there are."""

from collections.abc import Iterator

from tests.referee.book import Book, Fact
from tests.referee.check import Check

COUNTED_BACK = ("throws of", "burden")
"""What is counted down again: a net is folded for the next throw, what one came with is put down."""


class Supplies(Check):
    """What can be used up is not used more often than there is of it."""

    name = "supplies"

    def __init__(self) -> None:
        self.bullets: dict[tuple[str, str], int] = {}
        """How many bullets came with the firearm of another that somebody has got."""

    def after_item_changed(self, book: Book, fact: Fact) -> Iterator[str]:
        """Note with how many bullets a weapon goes from hand to hand (futurepath)."""
        if fact.get("of") and book.dialect == "futurepath":
            owner, item = book.bodies[fact["of"]], fact["item"]
            counted = [one["ammunition"] or 0 for one in owner.sheet["weapons"] if one["name"] == item]
            left = sum(counted) - owner.resources.get(item, 0)
            self.bullets[fact["who"], item] = left
        return iter(())

    def after_resource_spent(self, book: Book, fact: Fact) -> Iterator[str]:
        """Compare what is used up with the sheet."""
        body, name = book.bodies[fact["who"]], fact["resource"]
        used = body.resources[name]
        if used < -self.bullets.get((body.id, name), 0) and not name.startswith(COUNTED_BACK):
            yield f"{body.id} has used up {used} of {name}"
        for spell in body.sheet["spells"]:
            if spell["name"] == name and spell["uses"] is not None and used > spell["uses"]:
                yield f"{body.id} has used {name} {used} times of {spell['uses']}"
        for weapon in body.sheet["weapons"]:
            if weapon["name"] == name and weapon["ammunition"] is not None and used > weapon["ammunition"]:
                yield f"{body.id} has shot {used} of {weapon['ammunition']} with the {name}"
