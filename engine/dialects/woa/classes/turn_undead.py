"""Turning and rebuking undead: the attempt, who is in it, how it is kept up (woa.turn-undead.*)."""

from affray.engine.dialects.woa.classes.turned_undead import (
    TURNING,
    direction_of,
    in_area,
    refuse_direction,
    turning_of,
)
from affray.engine.dialects.woa.classes.turning_results import (
    ATTEMPT,
    MET,
    WITHSTOOD,
    back_away,
    harm_by_cure,
    is_fearless,
    numbers_in_figure,
    save_against_turning,
    shake_undead,
)
from affray.engine.dialects.woa.magic import unsteady_casting
from affray.engine.dialects.woa.magic.concentration import (
    check_concentration,
    refuse_unsettled,
)
from affray.engine.dialects.woa.magic.unsteady_casting import keep_concentrating, own_spell
from affray.engine.dialects.woa.turns.triggers import triggered
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.natures import is_a
from affray.engine.rules.classes.turning_power import refuse_without_symbol
from affray.engine.rules.conditions.condition_rules import powerless
from affray.engine.rules.magic.long_castings import CONCENTRATING, let_lapse
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectGained,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant, Effect


def turn_undead(fight: Fight, act: acts.TurnUndead) -> Steps[None]:
    """Present the holy symbol towards one side: all undead there save against it.

    A standard action; evil clerics rebuke. Others than clerics need the game master's leave
    (woa.turn-undead.action-cost, .area-and-dc, .evil-rebuke, .non-cleric).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("woa.turn-undead.action-cost")
    if act.what not in ("turn", "rebuke") or act.kind != "undead":
        raise Refusal(f"undead are turned or rebuked: nobody can {act.what} {act.kind}", rule)
    if (act.what == "rebuke") != has_trait(actor, "evil"):
        reason = (
            f"{actor.id} is evil and rebukes undead instead of turning them"
            if act.what == "turn"
            else f"{actor.id} is not evil and turns undead instead of rebuking them"
        )
        raise Refusal(reason, fight.rule("woa.turn-undead.evil-rebuke"))
    refuse_without_symbol(fight, actor, "woa.turn-undead.action-cost")
    refuse_direction(fight, act.way, fight.rule("woa.turn-undead.area-and-dc"))
    cleric = actor.sheet.classes.get("cleric", 0)
    spell = spell_to_boost(fight, actor, act) if act.boost else None
    refuse_unless_allowed(fight, actor, "standard")
    if not cleric:
        non_cleric = fight.rule("woa.turn-undead.non-cleric")
        question = f"{actor.id} is no cleric: is it devout enough to {act.what} undead?"
        if (yield Choice("", "devotion", question, ("allow", "refuse"), non_cleric)) != "allow":
            yield RuleApplied(who=actor.id, what="has not the faith for it", cites=(non_cleric,))
            return
    yield spending(fight, actor, "standard", f"{act.what} undead", rule)
    if spell is not None and not (yield from cast_into_turning(fight, actor, spell)):
        spell = None
    if powerless(fight, actor):
        return
    cites = (boost_rule(fight, actor),) if spell is not None else ()
    mark = yield from begin_turning(fight, actor, act, base_dc(fight, actor), spell.level if spell else 0)
    yield from affect_undead(fight, actor, mark, True, cites)
    if spell is not None and act.what == "turn":
        yield from harm_by_cure(fight, actor, mark, spell)


def cast_into_turning(fight: Fight, combatant: Combatant, spell: Spell) -> Steps[bool]:
    """Cast a spell into the turning, as one action with it; return whether it is not lost.

    woa.turn-undead.boost-with-cure, .evil-inflict-boost.
    """
    yield ResourceSpent(
        who=combatant.id, resource=spell.name, amount=1, cites=(boost_rule(fight, combatant),)
    )
    yield from unsteady_casting.occupy(fight, combatant, spell.name, "woa.spell.no-combat-reactions")
    yield from triggered(fight, combatant, "casts")
    if not powerless(fight, combatant) and not (
        yield from check_concentration(fight, combatant, spell.level, spell.name)
    ):
        return True
    yield RuleApplied(who=combatant.id, what=f"{spell.name} is lost", cites=(fight.rule("woa.spell.fizzle"),))
    return False


def boost_rule(fight: Fight, combatant: Combatant) -> str:
    """Return the rule by which a turner strengthens a turning with spells."""
    evil = has_trait(combatant, "evil")
    return fight.rule("woa.turn-undead.evil-inflict-boost" if evil else "woa.turn-undead.boost-with-cure")


def spell_to_boost(fight: Fight, actor: Combatant, act: acts.TurnUndead) -> Spell:
    """Return the spell that goes into a turning: a cure spell, for the evil one that inflicts wounds.

    Refuses others, and any to a turner who is no cleric.
    """
    if not actor.sheet.classes.get("cleric") and not fight.figure(
        "woa.turn-undead.non-cleric", "spell_boost"
    ):
        reason = f"{actor.id} is no cleric and cannot put a spell into a turning"
        raise Refusal(reason, fight.rule("woa.turn-undead.non-cleric"))
    spell = own_spell(fight, actor, act.boost)
    family = "inflict" if has_trait(actor, "evil") else "cure"
    if not spell.name.startswith(family):
        raise Refusal(
            f"{actor.id} puts {family} spells into a turning, not {spell.name}", boost_rule(fight, actor)
        )
    return spell


def base_dc(fight: Fight, combatant: Combatant) -> int:
    """Return the DC before boosting: by cleric level and Charisma, for others by Charisma alone."""
    cleric = combatant.sheet.classes.get("cleric", 0)
    if not cleric:
        (base,) = numbers_in_figure(fight.figure("woa.turn-undead.non-cleric", "dc"))
        return base + ability_now(fight, combatant, "cha")
    base, above, below = numbers_in_figure(fight.figure("woa.turn-undead.area-and-dc", "dc"))
    return base + cleric * above // below + ability_now(fight, combatant, "cha")


def begin_turning(fight: Fight, actor: Combatant, act: acts.TurnUndead, dc: int, boost: int) -> Steps[Effect]:
    """Begin a turning and concentrate on it; an earlier one goes over into it. Return the turning."""
    rule = fight.rule("woa.turn-undead.area-and-dc")
    kept = actor.conditions.get(CONCENTRATING)
    if kept is not None and kept.source != TURNING:
        yield from let_lapse(
            fight, actor, "now concentrates on turning", fight.rule("woa.spell.concentrate-maintain")
        )
    earlier = turning_of(actor)
    if earlier is not None:
        yield EffectEnded(who=actor.id, id=earlier.id, why="turns anew", cites=(rule,))
    attempt = f"{fight.declaration}:turning"
    yield EffectGained(
        who=actor.id,
        id=f"{attempt}:attempt",
        stat=ATTEMPT,
        modifier=Modifier(fight.state.minutes, "turning", attempt, rule),
        until=Until(),
        cites=(rule,),
    )
    yield EffectGained(
        who=actor.id,
        id=attempt,
        stat=TURNING,
        modifier=Modifier(dc + boost, act.what, f"{act.way[0]},{act.way[1]}", rule),
        until=Until("concentration", actor.id),
        cites=(rule,),
    )
    topic = "woa.turn-undead.concentration"
    yield ConditionGained(
        who=actor.id,
        condition=CONCENTRATING,
        source=TURNING,
        until=Until("turn-end", actor.id, fight.state.round + 1),
        level=fight.state.round + fight.figure(topic, "max_duration_rounds") - 1,
        cites=(fight.rule(topic),),
    )
    mark = turning_of(actor)
    assert mark is not None
    return mark


def affect_undead(
    fight: Fight, turner: Combatant, mark: Effect, first: bool = False, cites: tuple[str, ...] = ()
) -> Steps[None]:
    """Go through the undead: who is newly in the turning saves, who is turned keeps off.

    Who has withstood it is shaken as long as it is in there, and saves no more (woa.turn-undead.new-undead,
    .one-save, .on-success).
    """
    where = (
        ("woa.turn-undead.area-and-dc", "range_ft") if first else ("woa.turn-undead.new-undead", "radius_ft")
    )
    feet = fight.figure(*where)
    others = [one for one in fight.state.combatants.values() if one is not turner and is_a(one, "undead")]
    later = () if first else fight.rules("woa.turn-undead.new-undead")
    for one in others:
        new = "dead" not in one.conditions and effect_of_meeting(one, mark) is None
        if new and in_area(fight, turner, direction_of(mark), one, feet):
            yield from save_against_turning(fight, turner, mark, one, feet, *cites, *later)
    for one in others:
        if "dead" not in one.conditions:
            yield from shake_or_keep_off(fight, turner, mark, one, feet)


def effect_of_meeting(one: Combatant, mark: Effect) -> Effect | None:
    """Return the effect that says how an undead has met a turning, None if it has not."""
    return next(
        (effect for effect in one.effects if effect.stat == MET and effect.modifier.source == mark.id), None
    )


def shake_or_keep_off(
    fight: Fight, turner: Combatant, mark: Effect, one: Combatant, feet: int
) -> Steps[None]:
    """Let an undead that has withstood a turning be shaken while it is in there; let one turned keep off.

    One that was shaken before is frightened (woa.condition.fear.cumulative).
    """
    met = effect_of_meeting(one, mark)
    withstood = met is not None and met.modifier.kind == WITHSTOOD
    fears = {name: state.source for name, state in one.conditions.items() if name in ("shaken", "frightened")}
    fear = next((name for name, source in fears.items() if source == turner.id), "")
    if not in_area(fight, turner, direction_of(mark), one, feet):
        if fear and withstood:
            rule = fight.rule("woa.turn-undead.on-success")
            yield ConditionLost(who=one.id, condition=fear, why="is out of the turning", cites=(rule,))
    elif withstood and not fear and "panicked" not in one.conditions and not is_fearless(fight, one):
        yield from shake_undead(fight, turner, one, "woa.turn-undead.on-success", "woa.turn-undead.one-save")
    turned = one.conditions.get("turned")
    if turned is not None and turned.source == turner.id:
        yield from back_away(fight, turner, one)


def is_turning(fight: Fight, act: acts.Maintain) -> bool:
    """Say whether what somebody keeps up is a turning."""
    return turning_of(fight.combatant(act.actor)) is not None


def maintain_turning(fight: Fight, act: acts.Maintain) -> Steps[None]:
    """Go on concentrating on a turning, perhaps in another direction.

    woa.turn-undead.concentration, .new-undead.
    """
    actor = fight.combatant(act.actor)
    mark = turning_of(actor)
    assert mark is not None
    topic = "woa.turn-undead.concentration"
    refuse_without_symbol(fight, actor, "woa.turn-undead.action-cost")
    refuse_unsettled(fight, actor)
    if act.way != (0, 0):
        refuse_direction(fight, act.way, fight.rule("woa.turn-undead.new-undead"))
    kind = str(fight.figure(topic, "action_per_round"))
    if not (yield from keep_concentrating(fight, actor, 0, TURNING, kind, topic)):
        return
    if act.way != (0, 0) and act.way != direction_of(mark):
        rule = fight.rule("woa.turn-undead.new-undead")
        yield EffectEnded(who=actor.id, id=mark.id, why="faces another way", cites=(rule,))
        faced = f"{act.way[0]},{act.way[1]}"
        yield EffectGained(
            who=actor.id,
            id=mark.id,
            stat=TURNING,
            modifier=Modifier(mark.modifier.value, mark.modifier.kind, faced, mark.modifier.rule),
            until=mark.until,
            cites=(rule,),
        )
    yield from affect_undead_of_all(fight)


def affect_undead_after_movement(fight: Fight, mover: Combatant) -> Steps[None]:
    """After any movement, go through the undead for every turning that goes on."""
    return affect_undead_of_all(fight)


@per_company()
def turners(fight: Fight) -> list[str]:
    """Return those whose turning of undead goes on."""
    return [one.id for one in fight.state.combatants.values() if turning_of(one) is not None]


def affect_undead_of_all(fight: Fight) -> Steps[None]:
    """Go through the undead for every turning that goes on."""
    for id in turners(fight):
        turner = fight.state.combatants[id]
        mark = turning_of(turner)
        if mark is not None:
            yield from affect_undead(fight, turner, mark)
