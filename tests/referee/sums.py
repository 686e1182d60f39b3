"""Sums: a total is its roll and its named parts, and an outcome is what the comparison says."""

import re
from collections.abc import Iterator
from typing import Any

from tests.referee.book import Book, Fact
from tests.referee.check import Check

SAVES = ("save.",)
LUCKY = {"pf1": ("stabilize", "wake", "begin to heal")}
"""Checks besides saving throws that a natural 20 wins."""
DAMPED = "is left under water"
"""So the game master says what water leaves of a spell."""
SPOILED = ("spell failure", "words under water")
"""Chances in a hundred, or in twenty, that something fails."""
HOPELESS = -20
"""In futurepath nothing succeeds at such penalties."""
BETTER = ("combat maneuver",)
"""Checks that have to do better than what they are set against."""


def counted(parts: list[Fact]) -> int:
    """Return the sum of the modifiers that count."""
    return sum(part["value"] for part in parts if not part["denied"])


def hopeless(book: Book, parts: list[Fact]) -> bool:
    """Say whether the penalties of a roll alone make it fail, as they do by futurepath's new rules."""
    graded = book.dialect == "futurepath" and book.options.get("edition") != "old-only"
    return graded and counted([p for p in parts if p["value"] < 0]) <= HOPELESS


def tended(book: Book, fact: Fact) -> bool:
    """Say whether a save decides the fate of somebody unconscious in woa, where a natural 1 does not fail."""
    return book.dialect == "woa" and "death" in fact["why"] and fact["natural"] == 1


def highest(notation: str) -> int:
    """Return the most that dice can show."""
    dice = re.findall(r"(\d*)d(\d+)", notation)
    plain = re.findall(r"(?<![d\d])([+-]?\d+)(?![d\d])", notation)
    return sum(int(count or 1) * int(sides) for count, sides in dice) + sum(int(one) for one in plain)


class Sums(Check):
    """Rolls against what they are for: totals, comparisons, natural results, multiplied damage."""

    name = "sums"

    def __init__(self) -> None:
        self.rolls: dict[str, Fact] = {}

    def before_rolled(self, book: Book, fact: Fact) -> Iterator[str]:
        """Remember a roll for what refers to it."""
        self.rolls[fact["key"]] = fact
        yield from ()

    def before_attack_resolved(self, book: Book, fact: Fact) -> Iterator[str]:
        """Check total and result of an attack roll."""
        yield from self.of_roll(fact, fact["attack"], f"the attack on {fact['target']}")
        hits = fact["result"] != "miss"
        needed = counted(fact["defense"])
        if fact["defense"] and needed != fact["needed"]:
            yield f"the defense of {fact['target']} adds up to {needed}, not {fact['needed']}"
        if not fact["key"]:
            return
        if fact["natural"] == 1 and hits:
            yield f"a natural 1 hits {fact['target']}"
        reached = fact["total"] >= fact["needed"] or fact["natural"] == 20
        if fact["natural"] != 1 and hits != reached and not fact["why"].startswith(("maneuver",)):
            yield f"{fact['total']} against {fact['needed']} is a {fact['result']}"

    def before_confirmation_resolved(self, book: Book, fact: Fact) -> Iterator[str]:
        """Check the second roll of a critical hit."""
        yield from self.of_roll(fact, fact["attack"], f"the confirmation against {fact['target']}")

    def before_check_resolved(self, book: Book, fact: Fact) -> Iterator[str]:
        """Check the total and outcome of a check or saving throw."""
        check = fact["check"]
        what = f"{fact['who']}'s {check}"
        yield from self.of_roll(fact, fact["parts"], what)
        roll = self.rolls.get(fact["key"])
        if check in SPOILED:
            wanted = fact["total"] > fact["dc"]
        elif roll is not None and roll["notation"] == "1d100":
            wanted = fact["total"] <= fact["dc"]
        elif check.startswith(SAVES) and fact["natural"] in (1, 20) and not tended(book, fact):
            wanted = fact["natural"] == 20
        elif check in LUCKY.get(book.dialect, ()) and fact["natural"] == 20:
            wanted = True
        elif hopeless(book, fact["parts"]):
            wanted = False
        elif check in BETTER:
            wanted = fact["total"] > fact["dc"]
        else:
            wanted = fact["total"] >= fact["dc"]
        if fact["success"] != wanted:
            yield f"{what}: {fact['total']} against DC {fact['dc']} is {fact['success']}"

    def before_contest_resolved(self, book: Book, fact: Fact) -> Iterator[str]:
        """Check who has won an opposed check."""
        if hopeless(book, fact["parts"]):
            if fact["won"]:
                yield f"{fact['who']} wins {fact['contest']} with penalties beyond hope"
        elif fact["won"] and fact["total"] < fact["opposed"] and not hopeless(book, fact["opposed_parts"]):
            yield f"{fact['who']} wins {fact['contest']} with {fact['total']} against {fact['opposed']}"

    def before_miss_chance_resolved(self, book: Book, fact: Fact) -> Iterator[str]:
        """Check concealment's roll."""
        roll = self.rolls.get(fact["key"])
        if roll is not None and roll["total"] != fact["rolled"]:
            yield f"{fact['key']} shows {roll['total']}, not {fact['rolled']}"
        if fact["missed"] != (fact["rolled"] <= fact["percent"]):
            yield f"{fact['rolled']} of {fact['percent']} % is {fact['missed']}"

    def before_damage_resolved(self, book: Book, fact: Fact) -> Iterator[str]:
        """Check the sum of a hit."""
        for part in fact["dice"]:
            roll = self.rolls.get(part["key"])
            if roll is not None and part["times"] == 1 and roll["total"] != part["total"]:
                yield f"{part['key']} shows {roll['total']}, not {part['total']}"
        if fact["dice"]:
            yield from self.of_damage(book, fact)

    def of_damage(self, book: Book, fact: Fact) -> Iterator[str]:
        """Compare damage with its dice and modifiers; what is done to it then is told in words."""
        whole = sum(part["total"] for part in fact["dice"]) + counted(fact["modifiers"]) * fact["multiplier"]
        why = fact["why"] or ("some" if any(DAMPED in one.get("what", "") for one in book.told) else "")
        most = sum(highest(part["notation"]) for part in fact["dice"])
        if "half" in why or "one part in 2" in why:
            wanted = (min(1, whole // 2), max(1, whole))
            if fact["reduced"] == 0 and "save" in why:
                wanted = (whole // 2, max(1, whole // 2))
        elif "catastrophic" in why:
            wanted = (whole * 3 // 2, max(most, whole * 3 // 2))
        elif not why or why.startswith("a hit deals at least"):
            least = 1 if fact["attacker"] and fact["modifiers"] else 0  # a blow deals 1 point at least
            wanted = (max(least, whole), max(1, whole))
        else:
            wanted = (0, max(1, whole) * 3 // 2)
        if not wanted[0] <= fact["total"] <= wanted[1]:
            yield f"damage to {fact['target']} adds up to {whole} ({why or 'as it is'}), not {fact['total']}"
        if not -(fact["total"] + 1) // 2 <= fact["reduced"] <= fact["total"]:
            yield f"{fact['reduced']} of {fact['total']} points of damage are kept off"

    def of_roll(self, fact: Fact, parts: list[Any], what: str) -> Iterator[str]:
        """Compare a total with its roll and its parts."""
        roll = self.rolls.get(fact["key"])
        if roll is not None:
            kept = [
                face for at, face in enumerate(roll["faces"]) if at not in roll["dropped"] + roll["rerolled"]
            ]
            if fact["natural"] not in kept and fact["natural"] != roll["total"]:
                yield f"{what}: {roll['key']} shows {kept}, not {fact['natural']}"
        if fact["key"] and parts and fact["natural"] + counted(parts) != fact["total"]:
            yield f"{what}: {fact['natural']} and {counted(parts)} make not {fact['total']}"
