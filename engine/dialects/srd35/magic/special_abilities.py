"""Special abilities: what each class of them is open to, gaze attacks, frightful presence."""

from operator import itemgetter

from affray.engine.dialects.srd35.magic.spell_resistance import POWERS
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_modifiers import miss_chance
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.magic.spell_effects import affect
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

LOOK, AVERT, SHUT = "look", "avert", "shut"
AVERTING, EYES_SHUT = "averting", "eyes-shut"
UNIMPRESSED = "unimpressed"
ABILITIES = "srd35.cast.abilities-table"


def ability_provokes(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, bool]:
    """Return the topic of the rule on a special ability, and whether it provokes; "" for what is none.

    srd35.cast.abilities-table.
    """
    if not spell.ability:
        return "", False
    return ABILITIES, bool(fight.figure(ABILITIES, f"type={spell.ability}", "provokes"))


def defensive_spell_like_ability(fight: Fight, spell: Spell) -> tuple[int, str]:
    """Return the DC to use a spell-like ability without provoking, and its topic; 0 for anything else.

    srd35.cast.spell-like-defensive.
    """
    if spell.ability != "spell-like":
        return 0, ""
    topic = "srd35.cast.spell-like-defensive"
    return fight.formula(topic, "dc") + spell.level, topic


def refuse_defensive_ability(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse to use defensively a special ability that does not provoke (srd35.cast.abilities-table)."""
    if act.defensively and spell.ability and not ability_provokes(fight, caster, spell)[1]:
        rule = fight.rule(ABILITIES)
        raise Refusal(f"{spell.name} does not provoke and is not used defensively", rule)


def ability_does_not_provoke(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Say of a special ability that it does not provoke (srd35.cast.abilities-table)."""
    if spell.ability and not ability_provokes(fight, caster, spell)[1]:
        cites = fight.rules(ABILITIES)
        yield RuleApplied(who=caster.id, what=f"{spell.name} does not provoke", cites=cites)


# gaze attacks


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
    rule = fight.rule("srd35.gaze.avert")
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
    rule = fight.rule("srd35.gaze.avert")
    how = eyes_against_gaze(target, gazer)
    if how == EYES_SHUT or "blinded" in target.conditions:
        yield RuleApplied(who=target.id, what=f"does not see {gazer.id}'s {spell.name}", cites=(rule,))
        return True
    if how == AVERTING:
        percent = fight.figure("srd35.gaze.avert", "avert_skip_pct")
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
            topic = "srd35.concealment.total-miss-chance"
            return (
                fight.figure(topic, "miss_chance_percent"),
                f"{blow.attacker.id}'s eyes are shut",
                "srd35.gaze.avert",
            )
        if one.stat == AVERTING and one.against == blow.target.id:
            topic = "srd35.concealment.miss-chance"
            return (
                fight.figure(topic, "miss_chance_percent"),
                f"{blow.attacker.id} averts its eyes",
                "srd35.gaze.avert",
            )
    return 0, "", ""


# frightful presence


def frightful_presence(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Let a frightful presence be felt: a free action on one's own turn."""
    rule = fight.rule("srd35.frightful-presence")
    check_turn(fight, caster)
    felt = f"{spell.name}, felt for {reach_of(fight, spell)} ft."
    yield ActionSpent(who=caster.id, kind="free", what=felt, cites=(rule,))
    yield from overawe(fight, caster, spell, witnesses(fight, caster, spell))


def overawe(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Frighten the weaker witnesses: shaken or worse for 5d6 rounds, unimpressed for a day after a success.

    srd35.frightful-presence.
    """
    topic = "frightful-presence"
    rule = fight.rule(topic)
    dialect = fight.dialect
    dc, cites = dialect.magic.spell_dc(fight, caster, spell)
    state = spell.condition or "shaken"
    for target in targets:
        if target.sheet.hit_dice >= caster.sheet.hit_dice or has_withstood_presence(target, caster):
            yield RuleApplied(who=target.id, what=f"is not impressed by {caster.id}", cites=(rule,))
            continue
        immune = dialect.conditions.immune_mind(fight, target, state)
        if immune:
            yield RuleApplied(who=target.id, what=f"immune: not {state}", cites=immune)
            continue
        cited, extra = cites or (rule,), tuple(dialect.classes.save_against_condition(fight, target, state))
        if (yield from saving_throw(fight, target, "will", dc, spell.name, *cited, extra=extra)):
            yield EffectGained(
                who=target.id,
                id=f"{fight.declaration}:{UNIMPRESSED}:{target.id}",
                stat=UNIMPRESSED,
                modifier=Modifier(0, "immunity", spell.name, rule),
                until=Until(),
                against=caster.id,
                cites=(rule,),
            )
            continue
        rolled = yield Roll(target.id, "rounds", str(fight.figure(topic, "rounds")))
        until = Until("turn-start", caster.id, fight.state.round + rolled.total)
        fact = ConditionGained(who=target.id, condition=state, source=caster.id, until=until, cites=(rule,))
        yield from dialect.conditions.gain(fight, fact)


def has_withstood_presence(target: Combatant, combatant: Combatant) -> bool:
    """Say whether a target has withstood this presence before."""
    return any(one.stat == UNIMPRESSED and one.against == combatant.id for one in target.effects)


def witnesses(fight: Fight, caster: Combatant, spell: Spell) -> list[Combatant]:
    """Return the opponents in range who see it."""
    reach = reach_of(fight, spell)
    return [
        enemy
        for enemy in fight.enemies(caster)
        if not is_down(fight, enemy) and distance(caster, enemy) <= reach and sees(fight, enemy, caster)
    ]
