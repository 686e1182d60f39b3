"""What dodging and blocking have in common: classes and levels, and whether the blow is expected."""

from affray.engine.dialects.woa.defense.armor_class import surprises_by_weapon
from affray.engine.dialects.woa.position import size_difference
from affray.engine.dialects.woa.senses.concealment import unseen
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.projections.state import Combatant


def group_level(fight: Fight, combatant: Combatant, group: str) -> int:
    """Return the levels in the classes of a group ("warrior", "rogue") (woa.class.groups)."""
    return sum(combatant.sheet.classes.get(name, 0) for name in fight.figure("woa.class.groups", group))


def fraction(of: int, words: str) -> int:
    """Return the part of a number that words such as "1/3 warrior level" begin with, rounded down."""
    above, below = words.split()[0].split("/")
    return of * int(above) // int(below)


def is_expected(fight: Fight, blow: Blow) -> bool:
    """Say whether the target is aware of the attack and sees the attacker (woa.surprise.no-dodge-block)."""
    target = blow.target
    unaware = not target.aware and not target.acted
    if size_difference.on_body(blow):
        return False
    return not unaware and not surprises_by_weapon(blow) and not unseen(fight, target, blow.attacker)


def why_unexpected(fight: Fight, blow: Blow, kind: str) -> tuple[str, ...]:
    """Return the topics by which a target that does not expect a blow cannot dodge or block it.

    woa.surprise.no-dodge-block, woa.reaction.dodge.awareness, woa.reaction.block.awareness,
    woa.concealment.total.no-reactions, woa.battlefield-monster.defense-loss, .reciprocal
    """
    if is_expected(fight, blow):
        return ()
    target = blow.target
    on_body = size_difference.on_body(blow)
    unaware = not target.aware and not target.acted
    found = [on_body] if on_body else [f"reaction.{kind}.awareness"]
    found += ["woa.surprise.no-dodge-block"] if unaware else []
    found += ["woa.concealment.total.no-reactions"] if unseen(fight, target, blow.attacker) else []
    return tuple(found)
