"""Shots and throws at a place instead of a creature: a grid corner, a square, an area."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.critical_hits import reaches_or_natural
from affray.engine.steps import Steps, judged
from affray.events.facts.combat import AttackResolved


def hits_place(fight: Fight, blow: Blow, where: str, against: str, needed: int) -> Steps[bool]:
    """Roll a ranged attack at a place: a corner, a square, an area; return whether it reaches `needed`.

    The blow has no other target than its attacker, and cites the rules by which it is made
    (srd35.splash.intersection, futurepath.attack.thrown-explosive.beyond-increment,
    futurepath.attack.autofire.roll).
    """
    parts = (
        *fight.dialect.attacks.attack_bonus(fight, blow),
        *blow.attack_extra,
        *fight.dialect.gear.corner_situation(fight, blow),
    )
    tally = fight.stack(parts)

    def judge(key: str, natural: int) -> AttackResolved:
        total = natural + tally.total
        hit = not tally.failed and reaches_or_natural(fight, natural, total, needed)
        return AttackResolved(
            attacker=blow.attacker.id,
            target=where,
            weapon=blow.weapon.name,
            mode="ranged",
            against=against,
            key=key,
            natural=natural,
            total=total,
            needed=needed,
            result="hit" if hit else "miss",
            why=f"{total} {'reaches' if hit else 'falls short of'} {needed}",
            attack=tally.parts,
            defense=(),
            cites=tuple(dict.fromkeys((*blow.cites, *tally.cites))),
        )

    fact: AttackResolved = yield from judged(blow.attacker.id, "attack", judge)
    return fact.result == "hit"
