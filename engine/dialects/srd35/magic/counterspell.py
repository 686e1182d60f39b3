"""Counterspells by feat, dispel checks with a limit, and telling which spell it is.

srd35.feat.spell-feats, srd35.cast.counterspell-dispel, srd35.skill.spellcraft.
"""

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.magic import counterspell, known_spells
from affray.engine.rules.magic.counterspell import identify_by_spellcraft
from affray.engine.rules.magic.spell_resistance import caster_level
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def counter(fight: Fight, act: acts.Counter) -> Steps[None]:
    """Ruin the spell that is being cast, by feat also with another one of its school.

    srd35.ready.counterspell, srd35.cast.counterspell-dispel, srd35.feat.spell-feats.
    """
    return counterspell.answer_casting(fight, act, limited_level, by_improved_counterspell)


def limited_level(fight: Fight, caster: Combatant, mine: Spell) -> int:
    """Return the caster level of a dispel check: no more than the spell lets count.

    srd35.cast.counterspell-dispel.
    """
    most = "max_greater" if mine.dispels == "greater" else "max"
    return min(int(fight.figure("srd35.cast.counterspell-dispel", most)), caster_level(fight, caster, mine))


def by_improved_counterspell(fight: Fight, caster: Combatant, mine: Spell, theirs: Spell) -> Steps[bool]:
    """Return whether a spell of the same school and a higher level answers, by Improved Counterspell.

    srd35.feat.spell-feats.
    """
    higher = mine.school != "" and mine.school == theirs.school and mine.level > theirs.level
    if not (higher and has_feat(caster, "improved counterspell")):
        return False
    cites = (fight.rule("srd35.feat.spell-feats"),)
    yield RuleApplied(who=caster.id, what=f"counters with {mine.name} of the same school", cites=cites)
    return True


def identify(fight: Fight, act: acts.Identify) -> Steps[None]:
    """Tell a spell that is being cast, or one that is in place: free, for those who know Spellcraft."""
    caster, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("srd35.skill.spellcraft")
    if "spellcraft" not in caster.sheet.skills:
        raise Refusal(f"{caster.id} has not learned Spellcraft", rule)
    if target.casting is not None:
        spell = known_spells.spell_known(target, target.casting.spell)
        yield from identify_by_spellcraft(fight, caster, spell, "cast", f"{target.id} casting")
        return
    check_turn(fight, caster)
    found = spell_on(fight, target, act.spell)
    if found is None:
        raise Refusal(f"there is no spell {act.spell!r} on {target.id}", rule)
    yield ActionSpent(who=caster.id, kind="free", what="identify a spell", cites=(rule,))
    yield from identify_by_spellcraft(fight, caster, found, "in_place", f"the spell on {target.id}")


def spell_on(fight: Fight, target: Combatant, name: str) -> Spell | None:
    """Return the spell of that name whose condition or modifier a target bears, "" for any."""
    sources = {condition.source for condition in target.conditions.values()}
    sources |= {effect.modifier.source for effect in target.effects}
    for one in fight.state.combatants.values():
        for spell in one.sheet.spells:
            if spell.name in sources and name in ("", spell.name):
                return spell
    return None
