"""The attack roll: its modifiers and rules, options declared before it, and the effects of a critical hit."""

from collections.abc import Callable, Iterator, Sequence
from math import ceil
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.conditions.afflictions import BLEED
from affray.engine.fight.fight import Fight, Standing
from affray.engine.fight.memory import per_fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks import attack_roll
from affray.engine.rules.attacks.natural_weapons import is_secondary, is_single
from affray.engine.rules.classes.checks import masters, refuse_without, saving_throw
from affray.engine.rules.classes.sheets import ability, has_feat, has_trait, size_step, wielded_in_two_hands
from affray.engine.rules.conditions.conditions import is_spared_fortitude
from affray.engine.rules.defense import PHYSICAL, explain_unaware_of_blow, is_of_force
from affray.engine.rules.position.places import cover_between
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Choice, Refusal, Roll, Steps, reciting
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Moved, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Sheet
from affray.projections.state import Combatant

# --- Pathfinder's differences in attacks: range, shots into melee, cover, incorporeal touch

KINDS = {
    "deflection": "pf1.ac.deflection",
    "dodge": "pf1.ac.dodge",
    "natural": "pf1.ac.natural-armor",
    "size": "pf1.size.to-ac",
}


def range_penalty(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for every range increment begun after the first (pf1.attack-action.range).

    Far Shot makes it -1 each instead of -2 (pf1.feat.point-blank).
    """
    further = -(-blow.distance // blow.weapon.range) - 1 if blow.weapon.range else 0
    if further <= 0:
        return []
    topic, figure = "pf1.attack-action.range", "penalty"
    if has_feat(blow.attacker, "far shot"):
        topic, figure = "pf1.feat.point-blank", "far_shot"
    per = int(fight.figure(topic, figure))
    return [Modifier(per * further, "penalty", f"range {blow.distance} ft.", fight.rule(topic))]


def into_melee(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for shooting at a target engaged with friends (pf1.attack-action.into-melee).

    Smaller against a target two sizes larger than all of them, none if it is three sizes larger, nor with
    Precise Shot (pf1.feat.precise-shot).
    """
    friends = attack_roll.find_friends_in_melee(fight, blow)
    if not friends:
        return []
    if masters(fight, blow.attacker, "precise shot"):
        blow.cites.append(fight.rule("pf1.feat.precise-shot"))
        return []
    topic = "attack-action.into-melee"
    larger = size_step(blow.target) - max(size_step(friend) for friend in friends)
    figure = "two_sizes" if larger >= fight.figure(topic, "two_sizes_larger") else "penalty"
    if larger >= fight.figure(topic, "three_sizes_larger"):
        figure = "three_sizes"
        if not fight.figure(topic, figure):
            return []
    source = f"into melee with {friends[0].id}"
    return [fight.modifier(topic, figure, kind="penalty", source=source)]


def no_cover_from_touch(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return no cover against the touch of the incorporeal, which ignores it.

    pf1.touch.incorporeal, pf1.touch.incorporeal-ignores-cover.
    """
    blow.cites += fight.rules("pf1.touch.incorporeal", "pf1.touch.incorporeal-ignores-cover")
    return []


def best_cover(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the cover bonus of the target's defense: the best by the map and by ruling.

    The game master grants partial and improved cover as conditions of that name (pf1.cover.melee,
    pf1.cover.ranged, pf1.cover.soft, pf1.cover.partial, pf1.cover.improved). A low obstacle gives cover by
    pf1.cover.aoo.
    """
    conditions = blow.target.conditions
    if "improved cover" in conditions:
        return [fight.modifier("pf1.cover.improved", "ac", kind="cover", source="improved cover")]
    found = cover_between(fight, blow.attacker, blow.target, blow.melee)
    if found.kind == "cover":
        place = ", ".join(f"{x},{y}" for x, y in found.squares[:3])
        blow.cites.append(fight.rule("pf1.cover.melee" if blow.melee else "pf1.cover.ranged"))
        if found.low:
            blow.cites.append(fight.rule("pf1.cover.aoo"))
        return [fight.modifier("pf1.cover.ranged", "ac", kind="cover", source=f"cover at {place}")]
    if found.kind == "soft":
        source = f"soft cover from {', '.join(found.creatures)}"
        return [fight.modifier("pf1.cover.soft", "ac", kind="cover", source=source)]
    if "partial cover" in conditions:
        return [fight.modifier("pf1.cover.partial", "ac", kind="cover", source="partial cover")]
    return []


def reflex_behind_improved_cover(
    fight: Fight, attacker: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return the bonus of improved cover to a Reflex save (pf1.cover.improved)."""
    return (fight.modifier("pf1.cover.improved", "reflex", kind="cover", source="improved cover"),)


def reflex_behind_partial_cover(
    fight: Fight, attacker: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return the bonus of partial cover to a Reflex save (pf1.cover.partial)."""
    if "partial cover" not in target.conditions:
        return ()
    return (fight.modifier("pf1.cover.partial", "reflex", kind="cover", source="partial cover"),)


def incorporeal_touch(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class against an incorporeal touch: solid armor is ignored, force is not.

    A part of the sheet is force if its source says so: "mage armor", "shell of force" (pf1.touch.incorporeal,
    pf1.touch.incorporeal-vs-force).
    """
    rule = fight.rule("pf1.touch.incorporeal-vs-force")
    denied = f"incorporeal: it does not count ({fight.rule('pf1.touch.incorporeal')})"
    made = []
    for part in parts:
        if part.kind in PHYSICAL and is_of_force(part.source):
            part = replace(part, denied="", rule=rule)
        elif part.kind in PHYSICAL and not part.denied:
            part = replace(part, denied=denied)
        made.append(part)
    return tuple(made)


def rules_by_kind(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class with the rules on their kinds.

    pf1.ac.deflection, pf1.ac.dodge, pf1.ac.natural-armor, pf1.size.to-ac.
    """
    return parts_by_kind(fight, parts)


@per_fight("parts")
def parts_by_kind(fight: Fight, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class with the rules on their kinds."""
    return tuple(
        replace(part, rule=fight.rule(KINDS[part.kind])) if part.kind in KINDS else part for part in parts
    )


def rule_on_strength(
    fight: Fight, blow: Blow, strength: int, share: tuple[int, str, str] | None
) -> tuple[int, str, str] | None:
    """Return the Strength bonus to damage; penalties and light weapons have separate rules.

    pf1.damage.off-hand-penalty, pf1.damage.two-handed-penalty, pf1.damage.two-handed-light-weapon.
    """
    if share is None or share[2] != "damage.strength":  # pf1.damage.strength-melee-thrown
        return share
    value, source, _ = share
    two = blow.melee and wielded_in_two_hands(blow.weapon)
    if strength < 0 and blow.weapon.off_hand:
        return value, source, "pf1.damage.off-hand-penalty"
    if strength < 0 and two:
        topic = "pf1.damage.two-handed-penalty"
    elif two and blow.weapon.wield == "light":
        topic = "pf1.damage.two-handed-light-weapon"
    else:
        return share
    return int(value * fight.figure(topic, "multiplier")), source, topic


def whole_with_double_slice(
    fight: Fight, blow: Blow, strength: int, share: tuple[int, str, str]
) -> tuple[int, str, str]:
    """Return the whole Strength bonus for the off hand of a combatant with Double Slice
    (pf1.feat.double-slice).
    """
    if not masters(fight, blow.attacker, "double slice"):
        return share
    return strength, "Strength (Double Slice)", "pf1.feat.double-slice"


def rule_on_flat_footed(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity bonus, and the topic of pf1's rule on the flat-footed.

    pf1.surprise-round.unaware-flat-footed, pf1.flat-footed.no-dex-to-ac.
    """
    reason, topic = denied
    if topic == "flat-footed.start":
        surprised = fight.state.round == 0 and not blow.target.aware
        topic = "pf1.surprise-round.unaware-flat-footed" if surprised else "pf1.flat-footed.no-dex-to-ac"
    return reason, topic


def space_and_reach_by_size(fight: Fight, sheet: Sheet) -> tuple[int, int]:
    """Return the squares along a side and the natural reach in feet of a creature of that size.

    A space of part of a square takes up the whole (pf1.size.space-table, pf1.grid).
    """
    row = f"size={sheet.size.capitalize()}"
    topic = "pf1.size.space-table"
    feet = sheet.space if sheet.space is not None else fight.figure(topic, row, "space")
    shape = "reach" if sheet.tall or "long" not in fight.figure(topic, row) else "long"
    reach = sheet.reach if sheet.reach is not None else fight.figure(topic, row, shape)
    return max(1, ceil(feet / fight.figure("pf1.grid", "square_ft"))), int(reach)


# --- Blind-Fight: denied bonuses of unseen attackers, and moving while blinded (pf1.feat.blind-fight)

BLIND_FIGHT: Final = "blind-fight"
BLIND_FIGHT_TOPIC: Final = "pf1.feat.blind-fight"
#: Against an unseen attacker in melee.
UNSEEN: Final = "melee and 'invisible' in attacker.conditions"


def keep_dexterity(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why Dexterity is denied: with Blind-Fight not by an unseen attacker in melee."""
    if denied[1] != "attack-mod.invisible" or not has_feat(blow.target, BLIND_FIGHT):
        return denied
    return explain_unaware_of_blow(blow)


def deny_unseen_attacker(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack roll, with the bonus of being unseen denied by Blind-Fight."""
    if not has_feat(blow.target, BLIND_FIGHT):
        return parts
    rule, unseen = fight.rule(BLIND_FIGHT_TOPIC), fight.rule("pf1.cond.invisible")
    denied = f"Blind-Fight of {blow.target.id} ({rule})"
    blow.cites.append(rule)
    return [replace(part, denied=denied) if part.rule == unseen else part for part in parts]


#: Against an unseen attacker, that may be seen all the same.
INVISIBLE: Final = "'invisible' in attacker.conditions"
INVISIBLE_TOPIC: Final = "pf1.cond.invisible"


def sees_the_invisible(target: Combatant) -> bool:
    """Return whether a combatant sees the invisible, and is not blinded."""
    return has_trait(target, "see invisibility") and "blinded" not in target.conditions


def keep_dexterity_by_sight(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why Dexterity is denied: not by an invisible attacker that is seen (pf1.cond.invisible)."""
    if denied[1] != "attack-mod.invisible" or not sees_the_invisible(blow.target):
        return denied
    return explain_unaware_of_blow(blow)


def deny_seen_attacker(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack roll, without the bonus against who sees the invisible attacker."""
    if not sees_the_invisible(blow.target):
        return parts
    rule = fight.rule(INVISIBLE_TOPIC)
    denied = f"{blow.target.id} sees the invisible ({rule})"
    return [replace(part, denied=denied) if part.rule == rule else part for part in parts]


def moves_surely(fight: Fight, act: acts.Move | acts.Run, moving: Steps[None]) -> bool:
    """Return whether the mover is blinded and has Blind-Fight."""
    actor = fight.combatant(act.actor)
    return "blinded" in actor.conditions and has_feat(actor, BLIND_FIGHT)


def move_surely(fight: Fight, act: acts.Move | acts.Run, moving: Steps[None]) -> Steps[None]:
    """Let the blinded with Blind-Fight move at full speed without a check."""
    return reciting(moving, Moved, fight.rule(BLIND_FIGHT_TOPIC))


# --- Critical feats: effects of a critical hit in addition to its damage (pf1.feat.critical-feats)

CRITICAL_FEATS_TOPIC: Final = "pf1.feat.critical-feats"
MASTERY: Final = "critical mastery"
#: The types of damage that can make a target bleed.
CUTS: Final = ("slashing", "piercing")
#: Effects that a Fortitude save lessens.
WITH_A_SAVE: Final = ("staggering critical", "blinding critical", "deafening critical", "stunning critical")
#: Conditions that this feat's fatigue does not worsen.
TIRED: Final = ("fatigued", "exhausted")


def add_to_critical(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After the damage of a critical hit, let a feat of the attacker add its effect to it.

    One of them, with Critical Mastery as many as that allows; among several the attacker chooses.
    """
    attacker, target = blow.attacker, blow.target
    ready = usable_feats(fight, blow)
    most = (
        int(fight.figure(CRITICAL_FEATS_TOPIC, MASTERY, "effects"))
        if masters(fight, attacker, MASTERY)
        else 1
    )
    for _ in range(most):
        if not ready or "dead" in target.conditions:
            return
        chosen = ready[0]
        if len(ready) > 1:
            question = f"which feat adds to the critical hit on {target.id}?"
            chosen = yield Choice(
                attacker.id, "critical feat", question, tuple(ready), fight.rule(CRITICAL_FEATS_TOPIC)
            )
        ready.remove(chosen)
        if chosen in WITH_A_SAVE and (yield from is_spared_fortitude(fight, target, chosen.title())):
            continue
        yield from EFFECTS[chosen](fight, blow, chosen)


def usable_feats(fight: Fight, blow: Blow) -> list[str]:
    """Return the critical feats of an attacker whose requirements it and its weapon meet."""
    found = [feat for feat in EFFECTS if masters(fight, blow.attacker, feat)]
    if not any(kind in blow.weapon.damage_type for kind in CUTS):
        found = [feat for feat in found if feat != BLEEDING]
    return found


def is_withstood(fight: Fight, blow: Blow, feat: str) -> Steps[bool]:
    """Make the target's Fortitude save, DC 10 + the attacker's base attack bonus, and return whether it
    succeeded.
    """
    dc = fight.formula(CRITICAL_FEATS_TOPIC, "dc") + blow.attacker.sheet.base_attack
    return (
        yield from saving_throw(
            fight, blow.target, "fort", dc, feat.title(), fight.rule(CRITICAL_FEATS_TOPIC)
        )
    )


def roll_duration(fight: Fight, blow: Blow, feat: str, figure: str) -> Steps[Until]:
    """Roll how many rounds an effect lasts, and return their end."""
    rolled = yield Roll(blow.attacker.id, "critical-effect", fight.figure(CRITICAL_FEATS_TOPIC, feat, figure))
    return for_rounds(fight, blow.attacker, rolled.total)


def bring(fight: Fight, blow: Blow, feat: str, condition: str, until: Until, suffix: str = "") -> Steps[None]:
    """Give the target a condition by a feat; the `suffix` of its source gives its severity."""
    fact = ConditionGained(
        who=blow.target.id,
        condition=condition,
        source=f"{feat.title()}{suffix}",
        until=until,
        cites=fight.rules(CRITICAL_FEATS_TOPIC),
    )
    return fight.dialect.conditions.gain(fight, fact)


def bleeding(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Let the target bleed."""
    return bring(fight, blow, feat, BLEED, Until(), f" {fight.figure(CRITICAL_FEATS_TOPIC, feat, 'dice')}")


def sickening(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Sicken the target for a minute."""
    until = for_rounds(fight, blow.attacker, int(fight.figure(CRITICAL_FEATS_TOPIC, feat, "rounds")))
    return bring(fight, blow, feat, "sickened", until)


def staggering(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Stagger the target for some rounds, for one if it saves."""
    if (yield from is_withstood(fight, blow, feat)):
        until = for_rounds(
            fight, blow.attacker, int(fight.figure(CRITICAL_FEATS_TOPIC, feat, "saved_rounds"))
        )
    else:
        until = yield from roll_duration(fight, blow, feat, "rounds")
    yield from bring(fight, blow, feat, "staggered", until)


def tiring(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Fatigue the target; no effect on a target that is fatigued or exhausted already."""
    worse = next((name for name in TIRED if name in blow.target.conditions), "")
    if worse:
        yield RuleApplied(
            who=blow.target.id, what=f"is {worse} already", cites=fight.rules(CRITICAL_FEATS_TOPIC)
        )
        return
    yield from bring(fight, blow, feat, "fatigued", Until())


def exhausting(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Exhaust the target."""
    return bring(fight, blow, feat, "exhausted", Until())


def blinding(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Blind the target permanently, or dazzle it for some rounds if it saves."""
    if (yield from is_withstood(fight, blow, feat)):
        until = yield from roll_duration(fight, blow, feat, "saved_rounds")
        yield from bring(fight, blow, feat, "dazzled", until)
    else:
        yield from bring(fight, blow, feat, "blinded", Until())


def deafening(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Deafen the target permanently, for a round if it saves."""
    saved = yield from is_withstood(fight, blow, feat)
    rounds = int(fight.figure(CRITICAL_FEATS_TOPIC, feat, "saved_rounds"))
    until = for_rounds(fight, blow.attacker, rounds) if saved else Until()
    yield from bring(fight, blow, feat, "deafened", until)


def stunning(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Stun the target for some rounds, or stagger it for as many if it saves."""
    saved = yield from is_withstood(fight, blow, feat)
    until = yield from roll_duration(fight, blow, feat, "rounds")
    yield from bring(fight, blow, feat, "staggered" if saved else "stunned", until)


BLEEDING: Final = "bleeding critical"
#: The effect of each critical feat, in the order in which they are offered.
EFFECTS: Final[dict[str, Callable[[Fight, Blow, str], Steps[None]]]] = {
    BLEEDING: bleeding,
    "sickening critical": sickening,
    "staggering critical": staggering,
    "tiring critical": tiring,
    "exhausting critical": exhausting,
    "blinding critical": blinding,
    "deafening critical": deafening,
    "stunning critical": stunning,
}


# --- Options declared before the first attack roll: Power Attack, Deadly Aim, Combat Expertise
# pf1.feat.power-attack, pf1.feat.deadly-aim, pf1.feat.combat-expertise.

#: Stats of the effects on attacks in melee, and on shots and throws.
MELEE, RANGED = "melee-attack", "ranged-attack"
POWER: Final = "pf1.feat.power-attack"
AIM: Final = "pf1.feat.deadly-aim"
EXPERTISE: Final = "pf1.feat.combat-expertise"


def steps_of(fight: Fight, combatant: Combatant, topic: str) -> int:
    """Return how often the figures of a feat count: once, and once more per step of base attack bonus."""
    return int(1 + combatant.sheet.base_attack // fight.figure(topic, "per_bab"))


def pledge(
    fight: Fight, combatant: Combatant, power: int, expertise: int, blows: Sequence[Blow]
) -> list[EffectGained]:
    """Return the facts of an attacker's trades; the base attack bonus determines the exact number.

    They last until the next turn. The `power` option is Power Attack in melee and Deadly Aim with shots and
    throws, except touches. Refuses options that the attacker does not have, and other numbers.
    """
    facts: list[EffectGained] = []
    if power and any(blow.melee for blow in blows):
        facts.append(traded(fight, combatant, "power attack", power, MELEE))
    if power and not all(blow.melee for blow in blows):
        if all(blow.melee or blow.intent.touch for blow in blows):
            raise Refusal("Deadly Aim is no use with touch attacks", fight.rule(AIM))
        facts.append(traded(fight, combatant, "deadly aim", power, RANGED))
    if expertise:
        if not all(blow.melee for blow in blows):
            raise Refusal("Combat Expertise goes with attacks in melee", fight.rule(EXPERTISE))
        facts.append(traded(fight, combatant, "combat expertise", expertise, MELEE))
        dodge = fight.figure(EXPERTISE, "ac") * expertise
        facts.append(
            effect_of(
                fight, combatant, "defense", Modifier(dodge, "dodge", NAMES[EXPERTISE], fight.rule(EXPERTISE))
            )
        )
    return facts


NAMES: Final = {POWER: "Power Attack", AIM: "Deadly Aim", EXPERTISE: "Combat Expertise"}


def traded(fight: Fight, combatant: Combatant, feat: str, points: int, stat: str) -> EffectGained:
    """Return the effect by which a feat lowers the attacks of a stat. Refuses other numbers."""
    rule = refuse_without(fight, combatant, feat)
    value = fight.figure(rule, "attack") * steps_of(fight, combatant, rule)
    if points != -value:
        bonus = f"base attack bonus {combatant.sheet.base_attack:+d}"
        raise Refusal(f"{NAMES[rule]} takes {-value} off at {bonus}, not {points}", rule)
    return effect_of(fight, combatant, stat, Modifier(value, "penalty", NAMES[rule], rule))


def effect_of(fight: Fight, combatant: Combatant, stat: str, modifier: Modifier) -> EffectGained:
    """Return the effect of a trade, until the next turn."""
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{modifier.source.lower().replace(' ', '-')}:{stat}",
        stat=stat,
        modifier=modifier,
        until=Until("turn-start", combatant.id, fight.state.round + 1),
        cites=(modifier.rule,),
    )


def parts_of_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalties of trades on such an attack: in melee, or a shot that is no touch.

    pf1.feat.power-attack, pf1.feat.deadly-aim, pf1.feat.combat-expertise.
    """
    stat = MELEE if blow.melee else "" if blow.intent.touch else RANGED
    return [effect.modifier for effect in blow.attacker.effects if effect.stat == stat]


def power_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add the damage of Power Attack: half again with both hands or a lone limb, half with the off hand.

    Not to touches (pf1.feat.power-attack).
    """
    if not blow.melee or not is_pledged(blow.attacker, POWER) or blow.intent.touch:
        return
    gain = fight.figure(POWER, "damage") * steps_of(fight, blow.attacker, POWER)
    source = NAMES[POWER]
    if blow.weapon.off_hand or (blow.weapon.wield == "natural" and is_secondary(fight, blow)):
        gain, source = gain * fight.figure(POWER, "off_hand_multiplier"), f"{source} (off hand or secondary)"
    elif is_doubly_strong(blow):
        gain, source = gain * fight.figure(POWER, "two_handed_multiplier"), f"{source} (two hands)"
    yield Modifier(int(gain), "untyped", source, fight.rule(POWER))


def is_doubly_strong(blow: Blow) -> bool:
    """Return whether a blow has one and a half times its Strength: both hands, or the only natural weapon."""
    if blow.weapon.wield == "natural":
        return is_single(blow)
    return wielded_in_two_hands(blow.weapon) and blow.weapon.wield != "light"


def aim_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add the damage of Deadly Aim to shots and throws that are no touches (pf1.feat.deadly-aim)."""
    if not blow.melee and not blow.intent.touch and is_pledged(blow.attacker, AIM):
        gain = fight.figure(AIM, "damage") * steps_of(fight, blow.attacker, AIM)
        yield Modifier(gain, "untyped", NAMES[AIM], fight.rule(AIM))


def is_pledged(combatant: Combatant, rule: str) -> bool:
    """Return whether a combatant has made the trade of a rule until its next turn."""
    return any(effect.modifier.rule == rule for effect in combatant.effects)


# --- The rules behind an attack roll of pf1: its formula, the weapon's use, size, touch, threats


def rules_of_sum(fight: Fight, topic: str) -> tuple[str, ...]:
    """Return the rules on the sum of a roll and on the number that it has to reach, if these decide.

    pf1.attack.roll, pf1.ac.meaning.
    """
    return fight.rules("pf1.attack.roll", "pf1.ac.meaning") if topic == "attack.roll" else ()


def cite_use_of_weapon(fight: Fight, blow: Blow) -> None:
    """Cite the rule that a throwing weapon attacks by its use (pf1.attack-bonus.by-weapon-mode)."""
    blow.cites.append(fight.rule("pf1.attack-bonus.by-weapon-mode"))


def cite_size(fight: Fight, blow: Blow) -> None:
    """Cite the rule that size is part of either attack bonus (pf1.size.to-attack)."""
    blow.cites.append(fight.rule("pf1.size.to-attack"))


def cite_touch(fight: Fight, blow: Blow) -> None:
    """Cite the rules that a touch is enough, and that bonuses other than armor still count against it.

    pf1.touch.attack-roll, pf1.touch.ac-includes.
    """
    blow.cites.append(fight.rule("pf1.touch.attack-roll"))
    sheet = blow.target.sheet
    if (
        sheet.size != "medium"
        or ability(sheet, "dex")
        or any(one.kind == "deflection" for one in sheet.armor)
    ):
        blow.cites.append(fight.rule("pf1.touch.ac-includes"))


def cite_threat(fight: Fight, blow: Blow, natural: int, total: int, needed: int, found: bool) -> bool:
    """Return whether a hit threatens a critical hit; cite the rules on 20 and on spells.

    pf1.attack.natural-20-threat, pf1.crit.not-multiplied.
    """
    if natural == fight.figure("pf1.attack.natural-20-threat", "face"):
        blow.cites.append(fight.rule("pf1.attack.natural-20-threat"))
    if blow.weapon.family == "spell":
        blow.cites.append(fight.rule("pf1.crit.not-multiplied"))
    return found


def rules_of_damage(fight: Fight, blow: Blow, strength: int) -> tuple[str, ...]:
    """Return the rule that a hit deals the damage of its weapon (pf1.damage.on-hit)."""
    return fight.rules("pf1.damage.on-hit")
