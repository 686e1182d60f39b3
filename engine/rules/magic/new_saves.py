"""A new saving throw each round against a spell that holds: hold person and its like.

srd35.spell.new-save-each-round, pf1.spell.new-save-each-round.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.magic.spell_effects import lasting_until
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import ConditionLost, EffectEnded, EffectGained
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant, Effect

TOPIC: Final = "spell.new-save-each-round"
#: What the effect modifies by which a held combatant may save anew: the kind of save, after this.
NEW_SAVE: Final = "new save: "


def note_new_saves(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Keep the DC of a spell whose condition a target may shake off by a new saving throw each round."""
    held = target.conditions.get(spell.condition)
    if saved or not spell.save_each_round or held is None or held.source != spell.name:
        return
    rule = fight.rule(TOPIC)
    dc, _ = fight.dialect.magic.spell_dc(fight, caster, spell)
    yield EffectGained(
        who=target.id,
        id=f"{fight.declaration}:{NEW_SAVE}{spell.name}:{target.id}:{fight.state.round}",
        stat=f"{NEW_SAVE}{spell.save} {spell.condition}",
        modifier=Modifier(dc, "untyped", spell.name, rule),
        until=lasting_until(fight, caster, spell),
        against=caster.id,
        cites=(rule,),
    )


def attempt_new_saves(fight: Fight, combatant: Combatant) -> Steps[None]:
    """At the start of its turn, let a held combatant spend a full-round action on a new saving throw.

    It provokes nothing; of several spells only one can be shaken off in a turn.
    """
    for effect in [one for one in combatant.effects if one.stat.startswith(NEW_SAVE)]:
        kind, _, condition = effect.stat.removeprefix(NEW_SAVE).partition(" ")
        spell = effect.modifier.source
        held = combatant.conditions.get(condition)
        if held is None or held.source != spell:
            yield ended(combatant, effect, "")
            continue
        rule = fight.rule(TOPIC)
        question = f"does {combatant.id} spend its turn on a new saving throw against {spell}?"
        if (yield Choice(combatant.id, "new-save", question, ("save", "endure"), rule)) == "save":
            yield from save_anew(fight, combatant, effect, kind, condition)
            return


def save_anew(fight: Fight, combatant: Combatant, effect: Effect, kind: str, condition: str) -> Steps[None]:
    """Spend the full round on a saving throw; a success ends the condition."""
    rule, spell = effect.modifier.rule, effect.modifier.source
    action = str(fight.figure(TOPIC, "action"))
    yield ActionSpent(who=combatant.id, kind=action, what=f"new save against {spell}", cites=(rule,))
    wards = tuple(fight.dialect.classes.save_against_condition(fight, combatant, condition, kind))
    dc = effect.modifier.value
    if (yield from saving_throw(fight, combatant, kind, dc, spell, rule, extra=wards)):
        why = f"saved against {spell}"
        yield ConditionLost(who=combatant.id, condition=condition, why=why, cites=(rule,))
        yield ended(combatant, effect, "saved")


def ended(combatant: Combatant, effect: Effect, why: str) -> EffectEnded:
    """Return the fact that there is no more to be saved against."""
    return EffectEnded(who=combatant.id, id=effect.id, why=why, cites=(effect.modifier.rule,))
