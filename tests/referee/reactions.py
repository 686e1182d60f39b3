"""Reactions: attacks of opportunity and the combat reactions of woa, each once and each deserved."""

from collections.abc import Iterator

from tests.referee.book import Body, Book, Fact
from tests.referee.check import Check

UNABLE = (
    "dead",
    "dying",
    "stable",
    "unconscious",
    "paralyzed",
    "petrified",
    "asleep",
    "stunned",
    "helpless",
)
"""Conditions in which nobody makes an attack of opportunity."""


class Reactions(Check):
    """What is done in the turns of others."""

    name = "reactions"

    def before_reaction_spent(self, book: Book, fact: Fact) -> Iterator[str]:
        """Look at who reacts, to what, and how often already."""
        body, kind = book.bodies[fact["who"]], fact["kind"]
        if fact["opportunity"] and fact["opportunity"] in body.opportunities:
            yield f"{body.id} answers {fact['opportunity']} twice"
        if fact["amount"] < 0:
            yield f"{body.id} spends {fact['amount']} reactions"
        if kind == "opportunity":
            yield from strikes(book, body, fact)
        if book.dialect == "woa":
            used, most = sum(body.reactions.values()), most_in_woa(body)
        else:
            used, most = body.reactions.get(kind, 0), most_by_d20(body)
        if used + fact["amount"] > most and (book.dialect == "woa" or kind == "opportunity"):
            yield f"{body.id} has used {used} reactions of {most} ({kind})"


def strikes(book: Book, body: Body, fact: Fact) -> Iterator[str]:
    """Look at an attack of opportunity: who may, and at whom."""
    defends = ("total-defense",) if book.dialect != "woa" else ()
    held = [name for name in (*UNABLE, *defends) if name in body.conditions]
    if held:
        yield f"{body.id} is {held[0]} and makes an attack of opportunity"
    given = [one for one in book.told if one["type"] == "opportunity.provoked" and one["by"] == body.id]
    if not any(one["who"] == fact["against"] and not one["denied"] for one in given):
        yield f"{body.id} strikes at {fact['against']}, who has given no opening"
    done = (book.act, *(one.get("then", one) for one in book.triggered.values()))
    aimed = {one.get("target") for one in done} | {
        strike["target"] for one in done for strike in one.get("strikes", ())
    }
    if book.bodies[fact["against"]].side == body.side and not aimed & {body.id, fact["against"]}:
        yield f"{body.id} strikes at {fact['against']} of its own side"


def most_by_d20(body: Body) -> int:
    """Return how many attacks of opportunity a round allows in srd35, pf1 and futurepath."""
    if not body.feat("combat reflexes"):
        return 1
    return 1 + max(0, ((body.sheet["abilities"]["dex"] or 10) - 10) // 2)


def most_in_woa(body: Body) -> int:
    """Return how many combat reactions a round allows in woa, by base attack bonus."""
    return 1 + body.sheet["base_attack"] // 5 + body.feat("combat reflexes")
