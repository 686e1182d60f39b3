"""Concentration: what can disturb a casting, and the checks that keep the spell."""

from collections.abc import Collection, Sequence
from typing import Final

from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.abilities import lowered
from affray.engine.rules.classes.checks import check
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.conditions.conditions import actions_of
from affray.engine.rules.gear.hands import bears_shield
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.steps import Distraction, Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectEnded, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Spell
from affray.projections.state import Combatant

# --- Components: voice, gestures and materials, and what makes a spell that is cast fail

#: Conditions that leave no voice, and those that leave no gestures.
MUTE = ("silenced", "gagged", "in silence")
BOUND = ("bound", "pinned")
HANDS = 2
POUCH = "spell component pouch"
#: What is in the hand of a caster who has taken components out of it, without a name of their own.
COMPONENTS = "components"
#: Where things are that are not at hand.
AWAY = ("dropped", "gone", "broken", "stowed")


def attention_lost_by(fight: Fight, caster: Combatant) -> str:
    """Return the condition that leaves a caster nothing that takes attention, "" for none.

    What leaves no standard action leaves no room for it.
    """
    for name in caster.conditions:
        rule = rule_of(fight, name)
        if rule.down or actions_of(fight, rule) in ("none", "move"):
            return name
    return ""


def refuse_without_attention(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse to the nauseated and the like also the spells that take no standard action.

    srd35.cond.nauseated, pf1.cond.nauseated.
    """
    name = attention_lost_by(fight, caster)
    if name:
        raise Refusal(
            f"{caster.id} is {name} and cannot cast {spell.name}", fight.rule(rule_of(fight, name).topic)
        )


def hands_in_use(caster: Combatant) -> int:
    """Return how many hands hold something, or bear a shield that is no buckler.

    A two-handed weapon can be held in one hand while one casts.
    """
    parts_of_body = [one.name for one in caster.sheet.weapons if one.wield in ("natural", "unarmed")]
    held = sum(1 for name in caster.held if name not in parts_of_body)
    return held + bears_shield(caster)


def refuse_without_voice(fight: Fight, caster: Combatant, spell: Spell) -> None:
    """Refuse a spell with words to a caster without a voice (srd35.cast.components, pf1.cast.components)."""
    if "verbal" in spell.components:
        mute = next((name for name in MUTE if name in caster.conditions), "")
        if mute:
            rule = fight.rule("cast.components")
            raise Refusal(f"{caster.id} is {mute} and cannot speak {spell.name}", rule)


def refuse_without_hand(fight: Fight, caster: Combatant, spell: Spell) -> None:
    """Refuse the gestures of a spell to a caster in bonds or without a free hand.

    srd35.cast.components, pf1.cast.components.
    """
    rule = fight.rule("cast.components")
    bound = next((name for name in BOUND if name in caster.conditions), "")
    if bound:
        raise Refusal(f"{caster.id} is {bound} and cannot make the gestures of {spell.name}", rule)
    if hands_in_use(caster) >= HANDS:
        raise Refusal(f"{caster.id} has no hand free for the gestures of {spell.name}", rule)


def deafened_failure(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Return whether deafness spoils the words of a spell that has been cast.

    srd35.cast.components, pf1.cast.components.
    """
    topic = "cast.components"
    if spell.ability or spell.item or "verbal" not in spell.components or "deafened" not in caster.conditions:
        return False
    percent = fight.figure(topic, "deafened_failure_pct")
    return (yield from roll_spell_failure(fight, caster, spell, percent, "deafened", topic))


def roll_spell_failure(
    fight: Fight, caster: Combatant, spell: Spell, percent: int, why: str, topic: str
) -> Steps[bool]:
    """Roll whether a spell is lost to a chance in percent; return whether it is."""
    rule = fight.rule(topic)
    lost = yield from percent_roll(
        caster, "spell failure", percent, f"{percent}% for {why}", rule, hoped=False
    )
    if lost:
        yield RuleApplied(who=caster.id, what=f"{spell.name} is lost", cites=(rule,))
    return lost


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


# --- The spells that a combatant knows

LONG = ("standard", "full-round", "one-round")


def named_spell(caster: Combatant, name: str) -> Spell | None:
    """Return the spell or device of that name, None for one that a combatant does not have."""
    return next((one for one in caster.sheet.spells if one.name == name), None)


def spell_of(caster: Combatant, name: str, rule: str, kind: str = "spell") -> Spell:
    """Return the spell of that name, or the magic item where that is the kind.

    Refuses by `rule` what the caster has not, or has no longer.
    """
    spell = named_spell(caster, name)
    if spell is None:
        items = kind != "spell"
        known = [
            one for one in caster.sheet.spells if bool(one.item) == items and not is_used_up(caster, one)
        ]
        raise unknown_word(kind, name, (one.name for one in known), rule, caster.id)
    if is_used_up(caster, spell):
        raise Refusal(f"{caster.id} has no {spell.name} left", rule)
    return spell


def is_used_up(caster: Combatant, spell: Spell) -> bool:
    """Say whether a combatant has used a spell or device as often as it can."""
    return spell.uses is not None and caster.resources.get(spell.name, 0) >= spell.uses


def spell_known(caster: Combatant, name: str) -> Spell:
    """Return the spell of that name, which the caster is known to have."""
    return next(one for one in caster.sheet.spells if one.name == name)


# --- Spells that last while their caster concentrates: how that begins and ends

CONCENTRATING = "concentrating"


def begin_concentrating(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Keep up a spell from now on; the next turn takes a standard action for it."""
    until = Until("turn-end", caster.id, fight.state.round + 1)
    cites = (fight.rule("cast.maintain"),)
    yield ConditionGained(who=caster.id, condition=CONCENTRATING, source=spell.name, until=until, cites=cites)


def let_lapse(fight: Fight, caster: Combatant, why: str, *cites: str) -> Steps[None]:
    """Stop concentrating: the spell and all that hung on it end (srd35.cast.maintain)."""
    yield ConditionLost(who=caster.id, condition=CONCENTRATING, why=why, cites=cites)
    for one in fight.state.combatants.values():
        for name, condition in list(one.conditions.items()):
            if condition.until.when == "concentration" and condition.until.who == caster.id:
                yield ConditionLost(who=one.id, condition=name, why=why, cites=cites)
                yield from fight.dialect.conditions.over(fight, one, name, condition)
        for effect in one.effects:
            if effect.until.when == "concentration" and effect.until.who == caster.id:
                yield EffectEnded(who=one.id, id=effect.id, why=why, cites=cites)


def end_unmaintained_spell(fight: Fight, holder: Combatant, condition: str) -> Steps[None]:
    """End a spell on which its caster has not concentrated in time (srd35.cast.maintain)."""
    return let_lapse(fight, holder, "not kept up", fight.rule("cast.maintain"))


def end_spell(fight: Fight, caster: Combatant, name: str, why: str, rule: str) -> Steps[None]:
    """End all that a caster's spell has brought about and that goes on."""
    for one in fight.state.combatants.values():
        for state, condition in list(one.conditions.items()):
            if condition.source == name and condition.until.who == caster.id:
                yield ConditionLost(who=one.id, condition=state, why=why, cites=(rule,))
                yield from fight.dialect.conditions.over(fight, one, state, condition)
        for effect in one.effects:
            if effect.modifier.source == name and effect.until.who == caster.id:
                yield EffectEnded(who=one.id, id=effect.id, why=why, cites=(rule,))
