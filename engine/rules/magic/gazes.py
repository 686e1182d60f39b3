"""Gaze attacks: whom they meet, averting and shutting the eyes, and what a gazer gains from that.

srd35.gaze.save, srd35.gaze.avert, pf1.gaze-breath.
"""

from operator import itemgetter

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_modifiers import miss_chance
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.magic.spell_effects import affect
from affray.engine.rules.magic.spell_resistance import POWERS
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

LOOK, AVERT, SHUT = "look", "avert", "shut"
AVERTING, EYES_SHUT = "averting", "eyes-shut"


def reach_of(fight: Fight, spell: Spell) -> int:
    """Return the range of a gaze or a presence in feet: the printed one or the usual one."""
    topic, _ = POWERS[spell.delivery]
    return spell.range or int(fight.figure(topic, "range_ft"))


def meet_gazes(fight: Fight, combatant: Combatant) -> Steps[None]:
    """At the start of a turn, face the gaze of every opponent in range (srd35.gaze.save)."""
    for enemy in fight.enemies(combatant):
        for spell in enemy.sheet.spells:
            if spell.delivery != "gaze" or is_down(fight, enemy) or is_down(fight, combatant):
                continue
            if distance(combatant, enemy) <= reach_of(fight, spell) and sees(fight, combatant, enemy):
                yield from look_away(fight, combatant, enemy, reach_of(fight, spell))
                yield from affect(fight, enemy, spell, combatant)


def look_away(fight: Fight, combatant: Combatant, enemy: Combatant, feet: int) -> Steps[None]:
    """Decide whether to look, avert one's eyes or shut them until one's next turn (srd35.gaze.avert)."""
    rule = fight.rule("gaze.avert")
    if "blinded" in combatant.conditions:
        return
    question = f"{enemy.id}'s gaze is met within {feet} ft.: what does {combatant.id} do with its eyes?"
    answer = yield Choice(combatant.id, "gaze", question, (LOOK, AVERT, SHUT), rule)
    if answer == LOOK:
        return
    stat = AVERTING if answer == AVERT else EYES_SHUT
    yield EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{stat}:{enemy.id}:{fight.state.round}",
        stat=stat,
        modifier=Modifier(0, "gaze", "averting its eyes" if answer == AVERT else "eyes shut", rule),
        until=Until("turn-start", combatant.id, fight.state.round + 1),
        against=enemy.id if answer == AVERT else "",
        cites=(rule,),
    )


def eyes_against_gaze(combatant: Combatant, enemy: Combatant) -> str:
    """Return how a combatant treats the gaze of an enemy: averting, with eyes shut, or ""."""
    for stat in (EYES_SHUT, AVERTING):
        if any(one.stat == stat and one.against in ("", enemy.id) for one in combatant.effects):
            return stat
    return ""


def avoids_gaze(fight: Fight, gazer: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether a gaze does not meet its target's eyes (srd35.gaze.avert)."""
    if spell.delivery != "gaze":
        return False
    rule = fight.rule("gaze.avert")
    how = eyes_against_gaze(target, gazer)
    if how == EYES_SHUT or "blinded" in target.conditions:
        yield RuleApplied(who=target.id, what=f"does not see {gazer.id}'s {spell.name}", cites=(rule,))
        return True
    if how == AVERTING:
        percent = fight.figure("gaze.avert", "avert_skip_pct")
        if (yield from percent_roll(target, "gaze", percent, "averting its eyes", rule)):
            return True
    percent, why, _ = poor_sight(fight, target, gazer)
    return bool(percent) and (yield from percent_roll(target, "gaze", percent, why, rule))


def poor_sight(fight: Fight, combatant: Combatant, enemy: Combatant) -> tuple[int, str, str]:
    """Return the miss chance that the surroundings give the gazer against a look, eyes apart."""
    blow = Blow(combatant, enemy, unarmed(fight, combatant), False, distance(combatant, enemy))
    return miss_chance(fight, blow)


def eyes_turned_away(fight: Fight, blow: Blow, found: tuple[int, str, str]) -> tuple[int, str, str]:
    """Return the greater of a miss chance and of what a gazer has from those who look away.

    srd35.gaze.avert.
    """
    return max(found, hidden_from(fight, blow), key=itemgetter(0))


def hidden_from(fight: Fight, blow: Blow) -> tuple[int, str, str]:
    """Return the concealment that a gazer has from those who do not look at it (srd35.gaze.avert)."""
    for one in blow.attacker.effects:
        if one.stat == EYES_SHUT:
            topic = "concealment.total-miss-chance"
            return (
                fight.figure(topic, "miss_chance_percent"),
                f"{blow.attacker.id}'s eyes are shut",
                "gaze.avert",
            )
        if one.stat == AVERTING and one.against == blow.target.id:
            topic = "concealment.miss-chance"
            return (
                fight.figure(topic, "miss_chance_percent"),
                f"{blow.attacker.id} averts its eyes",
                "gaze.avert",
            )
    return 0, "", ""
