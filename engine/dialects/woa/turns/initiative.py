"""Initiative, anew every round: the check, one check for groups, waiting for others (woa.initiative.*)."""

from affray.engine.dialects.woa.classes.saves import general_bonus, passing_save_parts
from affray.engine.dialects.woa.turns import declared_actions as plans
from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import condition_parts, effect_parts, ruled_out
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ConditionLost
from affray.events.facts.flow import InitiativeChanged, InitiativeRolled, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def group_of(fight: Fight, combatant: Combatant) -> str:
    """Return the group with which a creature without class levels shares its check, "" for none.

    All of one side, or those of one side that are alike (option `monster_initiative`;
    woa.initiative.monsters, woa.initiative.monster-groups).
    """
    reading = fight.option("monster_initiative")
    if reading == "single" or combatant.sheet.classes:
        return ""
    return combatant.side if reading == "grouped" else f"{combatant.side}/{combatant.sheet.name}"


def share_roll(
    fight: Fight, combatant: Combatant, rolled: dict[str, InitiativeRolled], group: str
) -> Steps[None]:
    """Give a whole group one check, made by the first of them (woa.initiative.monsters, .monster-groups)."""
    leader = rolled.get(group)
    alike = fight.option("monster_initiative") == "alike"
    rule = fight.rule("woa.initiative.monster-groups" if alike else "woa.initiative.monsters")
    if leader is None:
        yield from fight.dialect.turns.initiative(fight, combatant)
        rolled[group] = InitiativeRolled(
            who=combatant.id,
            key="",
            natural=0,
            total=combatant.initiative,
            modifier=combatant.initiative_modifier,
            parts=(),
            cites=(rule,),
        )
        return
    yield InitiativeRolled(
        who=combatant.id,
        key="",
        natural=0,
        total=leader.total,
        modifier=leader.modifier,
        parts=(Modifier(leader.modifier, "group", f"one check with {leader.who}", rule),),
        cites=(rule,),
    )


def roll_initiative(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Roll initiative: d20 + what counts on every Reflex save (woa.initiative.check).

    Resistance bonuses and those for some saves only are left out. Who refocused counts as having rolled a
    20 (woa.refocus.rule); the sheet's fixed initiative needs no roll.
    """
    parts = ruled_out(combatant, "initiative", initiative_parts(fight, combatant))
    tally = fight.dialect.attacks.stack(fight, parts)
    cites = fight.rules("woa.initiative.check")
    key = ""
    if combatant.fixed_initiative is not None:
        natural, total = 0, combatant.fixed_initiative
        cites = fight.rules("woa.initiative.meaning")
    elif "refocused" in combatant.conditions:
        natural = fight.figure("woa.refocus.rule", "next_round_d20")
        total = natural + tally.total
        cites = (*cites, fight.rule("woa.refocus.rule"))
    else:
        die = fight.figure("woa.initiative.check", "formula", 0)
        rolled = yield Roll(combatant.id, "initiative", f"1{die}")
        key, natural = rolled.key, rolled.faces[0]
        total = natural + tally.total
    if any("excluded-modifiers" in part.denied for part in tally.parts):
        cites = (*cites, fight.rule("woa.initiative.excluded-modifiers"))
    if "flat-footed" in combatant.conditions:
        cites = (*cites, fight.rule("woa.initiative.surprised-penalty"))
    yield InitiativeRolled(
        who=combatant.id,
        key=key,
        natural=natural,
        total=total,
        modifier=tally.total,
        parts=tally.parts,
        cites=cites,
    )
    if "refocused" in combatant.conditions:
        yield ConditionLost(
            who=combatant.id, condition="refocused", why="used", cites=(fight.rule("woa.refocus.rule"),)
        )


def initiative_parts(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the parts of an initiative check, those left out marked (woa.initiative.*-modifiers)."""
    rule = fight.rule("woa.initiative.included-modifiers")
    parts = []
    for part in [*general_bonus(fight, combatant, "ref", rule), *passing_save_parts(fight, combatant, "ref")]:
        if part.kind == "resistance":
            denied = f"left out of initiative ({fight.rule('woa.initiative.excluded-modifiers')})"
            part = Modifier(part.value, part.kind, part.source, part.rule, denied)
        parts.append(part)
    for name, bonuses in combatant.sheet.save_bonuses.items():
        if name.startswith("ref "):
            left_out = fight.rule("woa.initiative.excluded-modifiers")
            denied = f"{name[4:]} only: left out of initiative ({left_out})"
            for bonus in bonuses:
                parts.append(Modifier(bonus.value, bonus.kind, bonus.source or bonus.kind, rule, denied))
    for bonus in combatant.sheet.initiative:
        parts.append(
            Modifier(bonus.value, bonus.kind, bonus.source or bonus.kind, fight.rule("woa.initiative.check"))
        )
    parts += condition_parts(fight, combatant, "initiative")
    parts += effect_parts(combatant, "initiative", "")
    return parts


def wait_for(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Put somebody who waits for another directly behind it, if it was the faster one (woa.delay.*)."""
    named = next((aim for type_, _, aim in combatant.plan if type_ == plans.AFTER), "")
    order = fight.state.order
    if named not in order:
        return
    if order.index(combatant.id) > order.index(named):
        what = f"is no faster than {named} and need not wait"
        yield RuleApplied(who=combatant.id, what=what, cites=(fight.rule("woa.delay.not-faster"),))
        return
    others = [id for id in order if id != combatant.id]
    place = others.index(named) + 1
    yield InitiativeChanged(
        who=combatant.id,
        value=fight.state.combatants[named].initiative,
        order=(*others[:place], combatant.id, *others[place:]),
        before=others[place] if place < len(others) else "",
        cites=(fight.rule("woa.delay.rule"),),
    )
