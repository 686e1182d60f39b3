"""Supplies: spells and missiles, each as often as there are."""

from collections.abc import Iterator

from tests.referee.book import Book, Fact
from tests.referee.check import Check

COUNTED_BACK = ("throws of", "burden")
"""What is counted down again: a net is folded for the next throw, what one came with is put down."""


class Supplies(Check):
    """What can be used up is not used more often than there is of it."""

    name = "supplies"

    def after_resource_spent(self, book: Book, fact: Fact) -> Iterator[str]:
        """Compare what is used up with the sheet."""
        body, name = book.bodies[fact["who"]], fact["resource"]
        used = body.resources[name]
        if used < 0 and not name.startswith(COUNTED_BACK):
            yield f"{body.id} has used up {used} of {name}"
        for spell in body.sheet["spells"]:
            if spell["name"] == name and spell["uses"] is not None and used > spell["uses"]:
                yield f"{body.id} has used {name} {used} times of {spell['uses']}"
        for weapon in body.sheet["weapons"]:
            if weapon["name"] == name and weapon["ammunition"] is not None and used > weapon["ammunition"]:
                yield f"{body.id} has shot {used} of {weapon['ammunition']} with the {name}"
