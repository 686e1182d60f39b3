"""Concentration: what can disturb a casting, and the checks that keep the spell."""

from collections.abc import Collection, Sequence
from typing import Final

from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.steps import Distraction, Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

#: The conditions of a caster in a grapple.
HELD: Final = ("grappling", "grappled", "pinned")
#: The topic of the table of what disturbs a caster.
TABLE: Final = "skill.concentration-table"


def hampered_casting(
    fight: Fight, caster: Combatant, spell: Spell, settled: Collection[str] = ()
) -> Steps[bool]:
    """Let conditions that make casting hard call for a check; return whether the spell is lost.

    Those that are `settled` have called for theirs.
    """
    for name, topic, dc in fight.dialect.magic.hindrances(fight, caster, spell):
        if name in settled:
            continue
        why = f"casting {spell.name} while {name}"
        parts = parts_against(fight, caster, spell, name, topic)
        if not (yield from check(fight, caster, "concentration", parts, dc, fight.rule(topic), why=why)):
            yield RuleApplied(who=caster.id, what=f"{spell.name} is lost", cites=(fight.rule(topic),))
            return True
    return False


def parts_against(fight: Fight, caster: Combatant, spell: Spell, name: str, topic: str) -> list[Modifier]:
    """Return the parts of a concentration check against what makes casting hard, by its name."""
    parts = fight.dialect.magic.concentration(fight, caster, spell, topic)
    return [*parts, *practised(fight, caster)] if name in HELD else parts


def hindrances(fight: Fight, caster: Combatant, spell: Spell) -> list[tuple[str, str, int]]:
    """Return what makes casting hard now: each with its topic and the DC of the check."""
    found = []
    for name in caster.conditions:
        casting = rule_of(fight, name).casting
        if casting is not None:
            found.append((name, casting[0], fight.dialect.magic.hampered_dc(fight, spell, *casting)))
    return found


def hampered_dc(fight: Fight, spell: Spell, topic: str, *path: str) -> int:
    """Return the DC to cast under a condition: the printed number + spell level."""
    return fight.formula(topic, *path) + spell.level


def provoke_or_defend(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    defensively: bool,
    healthy: int,
    distractions: Sequence[int],
    topic: str = "cast.provokes",
) -> Steps[bool]:
    """Let the casting provoke, or be done defensively; return whether the spell is lost.

    `healthy` is how sound the caster was as the casting began, `distractions` the DCs of the spells that have
    distracted it since, `topic` the rule by which the casting provokes.

    futurepath.assumed.casting-defensively.
    """
    settled = [name for name, _, _ in fight.dialect.magic.hindrances(fight, caster, spell)]
    if (yield from hampered_casting(fight, caster, spell)):
        return True
    enemies = threatening(fight, caster)
    if defensively:
        dc, topics = fight.dialect.magic.defensive_casting(fight, caster, spell)
        topic = topics[0]
        parts = fight.dialect.magic.concentration(fight, caster, spell, topic)
        done = yield from check(
            fight,
            caster,
            "concentration",
            [*parts, *practised(fight, caster)],
            dc,
            *fight.rules(*topics),
            why=f"casting {spell.name} defensively",
        )
        if not done:
            yield RuleApplied(who=caster.id, what=f"{spell.name} is lost", cites=(fight.rule(topic),))
            yield from fight.dialect.magic.defense_fails(fight, caster, spell)
            return True
    else:
        rule = fight.rule(topic)
        yield from fight.dialect.opportunity.provoke(
            fight, caster, enemies, f"casts {spell.name}", f"cast:{fight.declaration}", rule
        )
        # Who is grabbed or caught in a net now goes on casting there.
        if not is_down(fight, caster) and (yield from hampered_casting(fight, caster, spell, settled)):
            return True
    return (yield from disturbed_while_casting(fight, caster, spell, healthy, distractions))


def keep_unprovoked(
    fight: Fight, caster: Combatant, spell: Spell, healthy: int, distractions: Sequence[int]
) -> Steps[bool]:
    """Let a casting go on that gives nobody an opening; return whether the spell is lost all the same.

    What hampers its caster calls for a check, and so does damage from those who readied for it.
    """
    if (yield from hampered_casting(fight, caster, spell)):
        return True
    return (yield from disturbed_while_casting(fight, caster, spell, healthy, distractions))


def disturbed_while_casting(
    fight: Fight, caster: Combatant, spell: Spell, healthy: int, distractions: Sequence[int]
) -> Steps[bool]:
    """Let damage and spells that came since the casting began call for checks; return whether it is lost."""
    if (yield from struck_while_casting(fight, caster, spell, healthy)):
        return True
    if is_down(fight, caster):
        return False
    return (yield from distracted_while_casting(fight, caster, spell, distractions))


def struck_while_casting(fight: Fight, caster: Combatant, spell: Spell, healthy: int) -> Steps[bool]:
    """Let damage taken since the casting began call for a check; return whether the spell is lost.

    pf1.cast.concentration-table, srd35.cast.damage-dc, futurepath.assumed.casting-while-struck.
    """
    damage = healthy - soundness(caster)
    if damage > 0 and not is_down(fight, caster):
        topic = "cast.damage-dc"
        done = yield from check(
            fight,
            caster,
            "concentration",
            fight.dialect.magic.concentration(fight, caster, spell, topic),
            fight.formula(topic, "dc") + damage + spell.level,
            fight.rule(topic),
            why=f"struck for {damage} while casting",
        )
        if not done:
            yield RuleApplied(who=caster.id, what=f"{spell.name} is lost", cites=(fight.rule(topic),))
            return True
    return False


def collect_distractions(steps: Steps[bool], caster: Combatant, distractions: list[int]) -> Steps[bool]:
    """Go through the steps of a casting, and collect the DCs of the spells that distract its caster."""
    sent = None
    while True:
        try:
            step = steps.send(sent)
        except StopIteration as done:
            lost: bool = done.value
            return lost
        if type(step) is Distraction and step.who == caster.id:
            distractions.append(step.dc)
            sent = None
        else:
            sent = yield step


def distracted_while_casting(
    fight: Fight, caster: Combatant, spell: Spell, distractions: Sequence[int]
) -> Steps[bool]:
    """Check concentration for each spell that has distracted a caster since the casting began.

    Return whether the spell is lost.
    """
    for dc in distractions:
        rule = fight.rule(TABLE)
        parts = fight.dialect.magic.concentration(fight, caster, spell, TABLE)
        why = f"distracted while casting {spell.name}"
        if not (yield from check(fight, caster, "concentration", parts, dc + spell.level, rule, why=why)):
            yield RuleApplied(who=caster.id, what=f"{spell.name} is lost", cites=(rule,))
            return True
    return False


def soundness(caster: Combatant) -> int:
    """Return the hit points of a caster less its nonlethal damage: what damage of either kind lowers."""
    return caster.hp + caster.temporary - caster.nonlethal


def by_skill(fight: Fight, caster: Combatant, spell: Spell, topic: str) -> list[Modifier]:
    """Return the parts of a concentration check where that is a skill."""
    bonus = caster.sheet.concentration
    if bonus is None:
        bonus = caster.sheet.skills.get("concentration", 0)
    return [Modifier(bonus, "skill", "concentration", fight.rule(topic)), *lowered(fight, caster, "con")]


def practised(fight: Fight, caster: Combatant) -> list[Modifier]:
    """Return what Combat Casting adds to cast defensively or in a grapple, pinned or not.

    srd35.feat.combat-casting, pf1.feat.combat-casting, futurepath.assumed.casting-defensively.
    """
    if not has_feat(caster, "combat casting"):
        return []
    topic = "feat.combat-casting"
    return [fight.modifier(topic, "concentration", kind="untyped", source="Combat Casting")]


def defensive_casting(fight: Fight, caster: Combatant, spell: Spell) -> tuple[int, tuple[str, ...]]:
    """Return the DC to cast without provoking, the printed number + spell level, and the rule's topic.

    srd35.cast.defensively.
    """
    return fight.formula("cast.defensively", "dc") + spell.level, ("cast.defensively",)
