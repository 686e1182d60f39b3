"""Hit points: what a change adds up to, and the state that they call for."""

from collections.abc import Iterator

from tests.referee.book import Body, Book, Fact
from tests.referee.check import Check

STATES = ("disabled", "dying", "stable", "dead")
LIFELESS = ("undead", "construct", "object")
"""Who is destroyed at 0 hit points."""


class HitPoints(Check):
    """The sum of damage, healing, nonlethal damage and temporary hit points; dying and dead in time."""

    name = "hit points"

    def __init__(self) -> None:
        self.last: Fact = {}

    def before_damage_resolved(self, book: Book, fact: Fact) -> Iterator[str]:
        """Remember what the next change of these hit points has to be."""
        self.last = fact
        yield from ()

    def before_hit_points_changed(self, book: Book, fact: Fact) -> Iterator[str]:
        """Compare a change with what it changes."""
        body = book.bodies[fact["who"]]
        hp, nonlethal = fact["hp"] - body.hp, fact["nonlethal"] - body.nonlethal
        lent = fact["temporary"] - body.temporary
        healed = nonlethal < 0 <= hp and fact["change"] == hp
        if fact["change"] != hp + lent - nonlethal and not healed:
            sum_up = f"{hp:+} hp, {lent:+} temporary, {nonlethal:+} nonlethal"
            yield f"{body.id}: {sum_up} make no {fact['change']:+}"
        if fact["hp"] > body.max_hp and hp > 0:
            yield f"{body.id} has {fact['hp']} of {body.max_hp} hit points"
        if min(fact["nonlethal"], fact["temporary"]) < 0:
            yield f"{body.id} has {fact['nonlethal']} nonlethal, {fact['temporary']} temporary"
        dealt, self.last = self.last, {}
        if not dealt or not book.told or book.told[-1] is not dealt or dealt["target"] != body.id:
            return
        net = dealt["total"] - dealt["reduced"]
        if hp + lent - nonlethal != -net:
            yield f"{body.id} takes {net} and loses {-(hp + lent - nonlethal)}"
        if hp < 0 and fact["temporary"] > 0:  # nonlethal damage is tallied, and takes nothing off
            yield f"{body.id} loses hit points before the temporary ones"
        full = body.nonlethal >= body.max_hp  # pf1: what comes beyond is lethal
        if dealt["nonlethal"] and hp < 0 and not nonlethal and book.dialect != "woa" and not full:
            yield f"{body.id} loses hit points to nonlethal damage"

    def before_ability_changed(self, book: Book, fact: Fact) -> Iterator[str]:
        """Compare a score with what is lost of it."""
        body, ability = book.bodies[fact["who"]], fact["ability"]
        printed = body.sheet["abilities"][ability]
        if min(fact["damage"], fact["drain"]) < 0:
            yield f"{body.id} has lost {fact['damage']} and {fact['drain']} {ability}"
        if printed is None:
            yield f"{body.id} has no {ability} to lose"
        elif fact["score"] > printed - lowering(book, fact) and fact["score"] > 0:
            yield f"{printed} {ability} less {fact['damage']} and {fact['drain']} is not {fact['score']}"

    def before_condition_lost(self, book: Book, fact: Fact) -> Iterator[str]:
        """Let nobody come back from the dead but by the game master's word."""
        if fact["condition"] == "dead" and book.act.get("act") != "fiat":
            yield f"{fact['who']} is dead no more"

    def settled(self, book: Book) -> Iterator[str]:
        """Compare everybody's state with the hit points."""
        for body in book.bodies.values():
            if body.sheet["thing"] is None and not body.has("dead"):
                found = list(below_zero(book, body) if book.dialect == "woa" else by_d20(book, body))
                yield from found


def lowering(book: Book, fact: Fact) -> int:
    """Return by how much lost points lower the score itself: in pf1 drained ones alone."""
    return int(fact["drain"]) + (0 if book.dialect == "pf1" else int(fact["damage"]))


NEVER = -1_000_000
"""Hit points that nothing comes down to."""


def death_line(book: Book, body: Body) -> int:
    """Return the hit points at which a combatant of srd35, pf1 or futurepath is dead."""
    con = body.sheet["abilities"]["con"]
    if book.dialect == "pf1":
        works = body.sheet["regeneration"] and not any(
            held.stat == "regeneration stopped" for held in body.effects.values()
        )
        line = -10 if book.options.get("death_line") == "minus-ten" else body.drain.get("con", 0) - (con or 0)
        return NEVER if works else line
    if book.options.get("death_line") == "minus-constitution":
        return -((con or 0) - body.damage.get("con", 0) - body.drain.get("con", 0))
    return -10


def acts_below_zero(book: Book, body: Body) -> bool:
    """Say whether Diehard keeps a combatant of pf1 on its feet, staggered."""
    return book.dialect == "pf1" and body.has("staggered") and "diehard" in body.sheet.get("feats", ())


def by_d20(book: Book, body: Body) -> Iterator[str]:
    """Yield where the state is not the one that the hit points call for."""
    hp = body.hp
    if hp <= death_line(book, body) or (hp <= 0 and body.is_a(*LIFELESS)):
        yield f"{body.id} lives at {hp} hit points"
    elif hp < 0 and not body.has("dying", "stable", "disabled") and not acts_below_zero(book, body):
        yield f"{body.id} is neither dying nor stable at {hp} hit points"
    elif hp == 0 and not body.has("disabled", "unconscious"):
        yield f"{body.id} is not disabled at 0 hit points"
    elif hp >= 0 and body.nonlethal > hp and not body.has("unconscious", "disabled"):
        yield f"{body.id} is awake with {hp} hit points and {body.nonlethal} nonlethal"
    elif hp > 0 and body.nonlethal == hp and not body.has("staggered", "unconscious"):
        yield f"{body.id} is not staggered with {hp} hit points and {body.nonlethal} nonlethal"
    elif hp > 0 and body.has("dying", "stable"):
        yield f"{body.id} is dying or stable at {hp} hit points"
    elif hp > 0 and body.has("disabled"):
        yield f"{body.id} is disabled at {hp} hit points"


def below_zero(book: Book, body: Body) -> Iterator[str]:
    """Yield whoever is quite well at 0 hit points or less in woa."""
    if body.hp <= 0 and not body.has("staggered", "unconscious", "dazed", "dying", "stable", "inanimate"):
        yield f"{body.id} is quite well at {body.hp} hit points"
