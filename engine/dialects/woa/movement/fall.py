"""Falls: the damage, and the injury that comes with it (woa.injury.cause.fall)."""

from affray.engine.dialects.woa.damage.injury_causes import FALL, random_injury
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Harm
from affray.engine.rules.damage.weapon_damage import amount_dealt, rolled_part
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

TOPIC = "woa.injury.cause.fall"


def fall(fight: Fight, act: acts.Fall) -> Steps[None]:
    """The game master lets somebody fall so many feet onto the ground."""
    target = fight.combatant(act.target)
    rule = fight.rule(TOPIC)
    if act.feet <= 0:
        raise Refusal(f"a fall goes down some feet, not {act.feet}", rule)
    if act.onto != "ground" or act.pounds:
        raise Refusal("this text has rules for falls onto the ground only", rule)
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("woa.hp.loss-consequences"))
    yield from fight.dialect.movement.fall(fight, target, act.feet)


def strike_ground(fight: Fight, harm: Harm) -> Steps[None]:
    """Suffer the damage of a fall, from wherever it was, and the injury that comes with it."""
    yield from fight.dialect.damage.suffer(fight, harm)
    if "dead" not in harm.target.conditions:
        yield from random_injury(fight, harm.target, harm, (TOPIC,), FALL)


def plummet(fight: Fight, mover: Combatant, feet: int) -> Steps[None]:
    """Take the damage of a fall that does any, lie prone, and be injured."""
    rule = fight.rule(TOPIC)
    row = [cell(fight, TOPIC, 0, column) for column in ("feet", "dice", "sides", "most")]
    figures = [one.value for one in row if one is not None]
    if len(figures) < len(row):
        yield RuleApplied(who=mover.id, what=f"a fall of {feet} ft.: damage not printed", cites=(rule,))
        return
    each, dice, sides, most = figures
    count = min(feet // each * dice, most)
    source = f"a fall of {feet} ft."
    if not count:
        yield RuleApplied(who=mover.id, what=f"{source} does no harm", cites=(rule,))
        return
    notation = f"{count}d{sides}"
    rolled = yield Roll(mover.id, "fall", notation)
    harm = Harm(mover, rolled.total, "bludgeoning", source)
    yield amount_dealt(fight, harm, rolled_part(harm, notation, rolled), rule)
    yield from fight.dialect.damage.suffer(fight, harm)
    if "prone" not in mover.conditions and not is_down(fight, mover):
        yield ConditionGained(who=mover.id, condition="prone", source=source, cites=(rule,))
    if "dead" not in mover.conditions:
        yield from random_injury(fight, mover, harm, (TOPIC,), FALL)
