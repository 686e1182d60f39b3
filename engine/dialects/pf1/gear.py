"""Gear: weapons and armor, carried and handled, broken, thrown."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.places import squares_of
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.chapters import Drawing, Side
from affray.engine.rules.attacks.attack_roll import immune_to_criticals
from affray.engine.rules.attacks.declared_blow import attack_object_carefully
from affray.engine.rules.damage.injury import AT_THE_START, BY_WORD
from affray.engine.rules.gear import nets
from affray.engine.rules.gear.hands import OFF, count_arms
from affray.engine.rules.gear.tables import (
    SHIELD,
    explain_other_figure,
    shields_of_row,
    uses_shield_arm,
    worn_now,
)
from affray.engine.rules.magic.concentration import hands_in_use, named_spell
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed
from affray.engine.rules.position.places import choose_square
from affray.engine.rules.turns.actions import has_acted, spending
from affray.engine.steps import Refusal, Steps, altered
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectEnded, EffectGained, ResourceSpent, Until
from affray.events.facts.sheet import Modifier, Sheet, Spell, Weapon, Worn
from affray.projections.state import Combatant

# --- A hidden weapon takes a standard action to draw (pf1.actions-table.standard)


def is_hidden(fight: Fight, holder: Combatant, item: str) -> bool:
    """Return whether a combatant has a weapon hidden about its person."""
    return any(one.name == item and "hidden" in one.traits for one in holder.sheet.weapons)


def draw_from_hiding(fight: Fight, holder: Combatant, item: str) -> Drawing:
    """Return the standard action that it takes to draw a hidden weapon; it does not provoke."""
    return Drawing("standard", fight.rules("pf1.actions-table.standard"), "standard", "Draw a hidden weapon")


# --- Broken objects: penalties at half their hit points or less (pf1.cond.broken)

BROKEN_TOPIC: Final = "pf1.cond.broken"
#: The condition of an object, the trait of an item on a sheet, the stat of an item broken since.
BROKEN: Final = "broken"
#: Magic items that spend charges doubly when broken.
CHARGED: Final = ("wand", "staff")


def breaks(fight: Fight, left: int, full: int) -> bool:
    """Return whether an object with the given hit points left is broken: half or less (pf1.sunder)."""
    return left <= full * float(fight.figure("pf1.sunder", "broken_at"))


def is_broken(combatant: Combatant, item: str) -> bool:
    """Return whether an item of a combatant is broken, by its sheet or since."""
    if any(one.stat == BROKEN and one.modifier.source == item for one in combatant.effects):
        return True
    sheet = combatant.sheet
    weapons = any(one.name == item and BROKEN in one.traits for one in sheet.weapons)
    return weapons or any(one.name == item and BROKEN in one.traits for one in sheet.worn)


def break_item(fight: Fight, holder: Combatant, item: str, *topics: str) -> Iterator[EffectGained]:
    """Yield the fact that an item is broken from now on, unless it was."""
    if not is_broken(holder, item):
        rule = fight.rule(BROKEN_TOPIC)
        yield EffectGained(
            who=holder.id,
            id=f"{fight.declaration}:{BROKEN}:{item}",
            stat=BROKEN,
            modifier=Modifier(0, BROKEN, item, rule),
            until=Until(""),
            cites=fight.rules(BROKEN_TOPIC, *topics),
        )


def no_longer_broken(fight: Fight, holder: Combatant, item: str, why: str) -> Iterator[EffectEnded]:
    """Yield the fact that an item is no longer broken, such as when it is destroyed."""
    for effect in holder.effects:
        if effect.stat == BROKEN and effect.modifier.source == item:
            yield EffectEnded(who=holder.id, id=effect.id, why=why, cites=fight.rules(BROKEN_TOPIC))


def strikes_with_broken(fight: Fight, blow: Blow, *given: object) -> bool:
    """Return whether a blow is made with a broken weapon."""
    return is_broken(blow.attacker, blow.weapon.name)


def broken_on_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty of a broken weapon on an attack with it."""
    if not is_broken(blow.attacker, blow.weapon.name):
        return []
    source = f"the {blow.weapon.name} is broken"
    return [fight.modifier(BROKEN_TOPIC, "weapon", "attack", kind="penalty", source=source)]


def on_damage(fight: Fight, blow: Blow, detail: str = "") -> list[Modifier]:
    """Return the penalty of a broken weapon on its damage."""
    if not is_broken(blow.attacker, blow.weapon.name):
        return []
    source = f"the {blow.weapon.name} is broken"
    return [fight.modifier(BROKEN_TOPIC, "weapon", "damage", kind="penalty", source=source)]


def threatens(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Return whether a hit with a broken weapon threatens a critical hit: only on a 20, at any printed range.

    pf1.cond.broken, pf1.crit.confirm, pf1.crit.immune.
    """
    if natural < critical_of_broken(fight)[0]:
        return False
    immune = immune_to_criticals(fight, blow)
    blow.cites += fight.rules("crit.immune") if immune else fight.rules("crit.threat", BROKEN_TOPIC)
    return not immune


def critical_of_broken(fight: Fight) -> tuple[int, int]:
    """Return the lowest natural roll that threatens with a broken weapon, and its multiplier."""
    least, _, multiplier = str(fight.figure(BROKEN_TOPIC, "weapon", "crit")).partition("/x")
    return int(least), int(multiplier)


def confirm_weaker(fight: Fight, blow: Blow, confirming: Steps[bool]) -> Steps[bool]:
    """Confirm a critical hit; with a broken weapon it multiplies by two, instead of the weapon's
    multiplier.
    """
    confirmed = yield from confirming
    if confirmed and is_broken(blow.attacker, blow.weapon.name):
        blow.weapon = replace(blow.weapon, multiplier=critical_of_broken(fight)[1])
        blow.damage.cites += fight.rules(BROKEN_TOPIC)
    return confirmed


def on_armor(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class, those of broken armor and shields halved, rounded down."""
    return tuple(halved(fight, blow.target, part) for part in parts)


def halved(fight: Fight, wearer: Combatant, part: Modifier) -> Modifier:
    """Return a part of Armor Class, half of it if its armor or shield is broken."""
    item = part.source.partition(" enhanced by ")[0]
    if part.kind not in ("armor", "shield") or not is_broken(wearer, item):
        return part
    value = int(part.value * float(fight.figure(BROKEN_TOPIC, "armor_bonus")))
    return Modifier(value, part.kind, f"{part.source} (broken)", fight.rule(BROKEN_TOPIC), part.denied)


def tool_parts(fight: Fight, user: Combatant, tool: str) -> list[Modifier]:
    """Return the penalty on a check with a broken tool."""
    if not is_broken(user, tool):
        return []
    return [fight.modifier(BROKEN_TOPIC, "tool", kind="penalty", source=f"the {tool} is broken")]


def is_broken_device(fight: Fight, act: acts.Activate, using: Steps[None]) -> bool:
    """Return whether a broken wand or staff is used."""
    user = fight.combatant(act.actor)
    item = named_spell(user, act.item)
    return item is not None and item.item in CHARGED and is_broken(user, item.name)


def spend_more_charges(fight: Fight, act: acts.Activate, using: Steps[None]) -> Steps[None]:
    """Use a broken wand or staff: it takes two charges. Refuses it with fewer."""
    user = fight.combatant(act.actor)
    item = named_spell(user, act.item)
    each = int(fight.figure(BROKEN_TOPIC, "charges"))
    if item is not None and item.uses is not None and item.uses - user.resources.get(item.name, 0) < each:
        reason = f"the {item.name} is broken: to use it takes {each} charges"
        raise Refusal(reason, fight.rule(BROKEN_TOPIC))

    def doubled(step: object) -> object:
        if isinstance(step, ResourceSpent) and step.resource == act.item:
            return replace(step, amount=step.amount * each, cites=(*step.cites, fight.rule(BROKEN_TOPIC)))
        return step

    return altered(using, doubled)


# --- The check penalty of armor and shields (pf1.armor.check-penalty)

ARMOR_CHECK_TOPIC: Final = "pf1.armor.check-penalty"


def check_penalty(fight: Fight, combatant: Combatant, skill: str) -> list[Modifier]:
    """Return the check penalty of armor and shield on a skill of Strength or Dexterity, doubled if broken.

    Items that are off do not count (pf1.armor.check-penalty, pf1.cond.broken).
    """
    penalties = combatant.sheet.check_penalties
    if not penalties or skill not in fight.figure(ARMOR_CHECK_TOPIC, "skills"):
        return []
    parts = []
    for one in penalties:
        if one.source and combatant.items.get(one.source) in OFF:
            continue
        value, source, rule = one.value, one.source or one.kind, fight.rule(ARMOR_CHECK_TOPIC)
        if is_broken(combatant, one.source):
            times = int(fight.figure(BROKEN_TOPIC, "armor_check"))
            value, source, rule = value * times, f"{source} (broken)", fight.rule(BROKEN_TOPIC)
        parts.append(Modifier(value, "check penalty", source, rule))
    return parts


FINESSE: Final = "pf1.feat.weapon-finesse"
#: Checks of Strength and Dexterity that are none of skills.
BODILY_CHECKS: Final = ("strength", "initiative")


def penalties_on_attack(fight: Fight, blow: Blow) -> Iterator[Modifier]:
    """Yield the check penalties that count on attacks: of what is worn untrained, of shields with finesse.

    pf1.armor.check-penalty, pf1.feat.weapon-finesse.
    """
    yield from unpractised(fight, blow.attacker)
    if blow.melee and not blow.intent.maneuver and fight.dialect.attacks.finesse(fight, blow):
        rule = fight.rule(FINESSE)
        for one in worn_now(blow.attacker):
            if one.kind == SHIELD and one.check and one.proficient:
                value = penalty_of_item(fight, blow.attacker, one)
                yield Modifier(value, "penalty", f"{one.name} with Weapon Finesse", rule)


def unpractised(fight: Fight, wearer: Combatant) -> Iterator[Modifier]:
    """Yield the check penalties of armor and shields worn without proficiency (pf1.armor.check-penalty)."""
    for one in worn_now(wearer):
        if one.check and not one.proficient:
            value, source = penalty_of_item(fight, wearer, one), f"not proficient with the {one.name}"
            yield Modifier(value, "penalty", source, fight.rule(ARMOR_CHECK_TOPIC))


def penalty_of_item(fight: Fight, wearer: Combatant, worn: Worn) -> int:
    """Return the check penalty of one item, doubled if it is broken (pf1.cond.broken)."""
    times = int(fight.figure(BROKEN_TOPIC, "armor_check")) if is_broken(wearer, worn.name) else 1
    return worn.check * times


def penalties_on_check(fight: Fight, holder: Combatant, name: str, detail: str) -> Iterator[Modifier]:
    """Yield the penalties of items worn without proficiency on checks of Strength and Dexterity.

    Those of skills have the check penalty anyway (pf1.armor.check-penalty).
    """
    if holder.sheet.worn and name in BODILY_CHECKS:
        yield from unpractised(fight, holder)


def penalties_on_initiative(fight: Fight, holder: Combatant, name: str, detail: str) -> Iterator[Modifier]:
    """Yield those penalties on initiative, a check of Dexterity (pf1.initiative.check)."""
    yield from penalties_on_check(fight, holder, "initiative", detail)


# --- Unattended objects: a blow lined up at one, and what is broken before it is destroyed (pf1.object.ac)


def line_up_blow(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack an unattended object with a full round's care (pf1.object.ac)."""
    return attack_object_carefully(fight, act, fight.dialect.attacks.prepare)


def break_thing(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Break an object whose damage leaves it half its hit points or less."""
    yield from broken_at_half(fight, target, harm.source)


def break_at_half(fight: Fight, target: Combatant, before: int) -> Steps[None]:
    """Break an object whose hit points the game master has set to half of all or less."""
    yield from broken_at_half(fight, target, BY_WORD)


def start_broken(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Break an object that enters with half its hit points or less."""
    newcomer = fight.combatant(act.id)
    if newcomer.sheet.thing is not None:
        yield from broken_at_half(fight, newcomer, AT_THE_START)


def broken_at_half(fight: Fight, thing: Combatant, source: str) -> Steps[None]:
    """Break an object that has half its hit points or less, and is neither broken nor destroyed.

    pf1.object.ac, pf1.sunder, pf1.cond.broken.
    """
    gone = BROKEN in thing.conditions or "dead" in thing.conditions
    if not gone and breaks(fight, thing.hp, thing.max_hp):
        cites = fight.rules(BROKEN_TOPIC, "pf1.object.ac")
        yield ConditionGained(who=thing.id, condition=BROKEN, source=source, cites=cites)


def refuse_start_broken(fight: Fight, act: acts.Enter) -> None:
    """Refuse an entry as broken: an object is so by its hit points, a weapon or armor by its trait."""
    if BROKEN in act.conditions:
        reason = f"{act.id} cannot enter broken: an object is so by its hit points, gear by a trait"
        raise Refusal(reason, fight.rule(BROKEN_TOPIC))


# --- Shields that hamper the arm, and shields without bonus for a while (pf1.armor.*)
# A buckler takes 1 from attacks of its arm, and gives no bonus while that arm attacks or makes the gestures
# of a spell; a tower shield takes 2 from every attack.

BUCKLER: Final = "pf1.armor.buckler"
TOWER: Final = "pf1.armor.tower-shield"
BASH: Final = "pf1.feat.shield-feats"
#: The row of a shield in the table, and the word in the name of one without a row, by its rule.
KINDS: Final = {BUCKLER: ("buckler", "buckler"), TOWER: ("shield, tower", "tower shield")}
#: The stat of an effect that denies a shield's bonus while its arm is used otherwise.
LOWERED: Final = "guard of the shield"


def shields_of_kind(sheet: Sheet, topic: str) -> list[str]:
    """Return the names of the shields of a sheet to which the rule on a topic applies: by row or by name."""
    return shields_of_row(sheet, *KINDS[topic])


def borne_shields(bearer: Combatant, topic: str) -> list[str]:
    """Return those of them that are on an arm now."""
    away = (*OFF, "stowed")
    return [name for name in shields_of_kind(bearer.sheet, topic) if bearer.items.get(name) not in away]


def rules_of_shields(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return a sheet unchanged, and the rules on bucklers and tower shields that it names by their rows."""
    tables = {one.table for one in sheet.worn}
    return sheet, fight.rules(*(topic for topic, (row, _) in KINDS.items() if row in tables))


def shields_on_attack(fight: Fight, blow: Blow) -> Iterator[Modifier]:
    """Yield the penalties of an attacker's shields on its roll.

    pf1.armor.buckler, pf1.armor.tower-shield.
    """
    if borne_shields(blow.attacker, TOWER):
        yield fight.modifier(TOWER, "attack", kind="penalty", source="tower shield")
    if uses_shield_arm(blow.weapon) and borne_shields(blow.attacker, BUCKLER):
        yield fight.modifier(BUCKLER, "attack", kind="penalty", source="buckler on that arm")


def lower_by_off_hand(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Deny the bonus of the buckler whose arm has attacked with a weapon (pf1.armor.buckler)."""
    yield from lower_shields(fight, blow.attacker, borne_shields(blow.attacker, BUCKLER), BUCKLER)


def lower_by_gestures(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Deny the bonus of the buckler whose arm makes the gestures of a spell (pf1.armor.buckler).

    Only if no other hand is free.
    """
    if spell.ability or "somatic" not in spell.components:
        return
    taken = [one.name for one in caster.sheet.weapons if one.off_hand and one.name in caster.held]
    if not taken and count_arms(caster) - hands_in_use(caster) == 1:
        yield from lower_shields(fight, caster, borne_shields(caster, BUCKLER), BUCKLER)


def lower_shields(
    fight: Fight, bearer: Combatant, names: Iterable[str], topic: str
) -> Iterator[EffectGained]:
    """Yield the facts that shields give no bonus until the next turn, by the rule on a topic."""
    lowered = {one.modifier.source for one in bearer.effects if one.stat == LOWERED}
    waits = fight.state.active != bearer.id and not has_acted(fight, bearer)
    for name in names:
        if name not in lowered:
            yield EffectGained(
                who=bearer.id,
                id=f"{fight.declaration}:lowered {name}",
                stat=LOWERED,
                modifier=Modifier(0, SHIELD, name, fight.rule(topic)),
                until=Until("turn-start", bearer.id, fight.state.round + (not waits)),
                cites=fight.rules(topic),
            )


def without_lowered_shield(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class, those of a shield denied whose arm was used otherwise.

    pf1.armor.buckler, pf1.feat.shield-feats.
    """
    lowered = {one.modifier.source: one.modifier.rule for one in blow.target.effects if one.stat == LOWERED}
    made = []
    for part in parts:
        name = next((one for one in lowered if part.source.startswith(one)), "")
        if part.kind == SHIELD and name and not part.denied:
            bashed = lowered[name] == fight.rule(BASH)
            why = f"strikes with the {name}" if bashed else f"uses the arm of the {name}"
            part = replace(part, denied=f"{why} ({lowered[name]})")
        made.append(part)
    return tuple(made)


# --- Pathfinder's differences in splash weapons and nets (pf1.splash, pf1.gear.splash-ref)


def chosen_square_of_target(
    fight: Fight, thrower: Combatant, weapon: Weapon, target: Combatant
) -> Steps[Square | None]:
    """Return the square of a big target from which a hit splashes: the thrower chooses (pf1.splash)."""
    question = f"from which square of {target.id} does the {weapon.name} splash?"
    squares = sorted(squares_of(target))
    return (yield from choose_square(thrower.id, "splash", question, squares, fight.rule("pf1.splash")))


def entangle(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a net that hits entangle its target, and hold it by the trailing rope (pf1.gear.splash-ref)."""
    return nets.cast_over(fight, blow, outpulls)


def outpulls(fight: Fight, mine: Side, theirs: Side, rule: str) -> Steps[bool]:
    """Let two combatants pull against each other, and return whether the first one pulls harder."""
    return (yield from roll_opposed(fight, "strength", mine, theirs, rule)) > 0


# --- Behind a tower shield: total cover from attacks through one edge (pf1.armor.tower-shield)
# The edge is a side of the bearer's space and moves with it. An attack passes through it if every straight
# line from the middle of a square of the attacker to the middle of one of the target does.

#: The prefix of the stat that closes an edge; the step towards that edge follows.
CLOSED: Final = "closed by a tower shield towards "
#: The steps towards the edges, and their names.
EDGES: Final = {(0, -1): "north", (1, 0): "east", (0, 1): "south", (-1, 0): "west"}


def shelter(fight: Fight, act: acts.Shelter) -> Steps[None]:
    """Close an edge of one's space with a tower shield until the next turn: a standard action."""
    actor, rule = fight.combatant(act.actor), fight.rule(TOWER)
    names = borne_shields(actor, TOWER)
    if not names:
        raise Refusal(f"{actor.id} has no tower shield", rule)
    if act.way not in EDGES:
        steps = ", ".join(f"{x},{y} ({name})" for (x, y), name in EDGES.items())
        raise Refusal(f"a tower shield closes one edge: the way is {steps}", rule)
    yield spending(fight, actor, "standard", f"shelter to the {EDGES[act.way]}", rule)
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:shelter",
        stat=f"{CLOSED}{EDGES[act.way]}",
        modifier=Modifier(0, "cover", names[0], rule),
        until=Until("turn-start", actor.id, fight.state.round + 1),
        cites=(rule,),
    )


def behind_closed_edge(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why an attack cannot be made, and the rule's topic: it would pass through a closed edge.

    pf1.armor.tower-shield.
    """
    edge = closed_edge_between(fight, blow.attacker, blow.target)
    return (f"{blow.target.id} has total cover behind its shield, to the {edge}", TOWER) if edge else ("", "")


def closed_edge_between(fight: Fight, attacker: Combatant, target: Combatant) -> str:
    """Return the edge of a target, closed by its shield, that all attacks pass through; "" for none."""
    for effect in target.effects:
        if effect.stat.startswith(CLOSED) and effect.modifier.source in borne_shields(target, TOWER):
            edge = effect.stat.removeprefix(CLOSED)
            way = next(step for step, name in EDGES.items() if name == edge)
            corner = fight.option("tower_shield_corner") == "through"
            if all(
                passes_edge(here, there, target, way, corner)
                for here in squares_of(attacker)
                for there in squares_of(target)
            ):
                return edge
    return ""


def passes_edge(here: Square, there: Square, target: Combatant, way: Square, corner: bool) -> bool:
    """Return whether the line between the middles of two squares passes through an edge of a target's space.

    `corner` tells whether a line through only a corner does.
    """
    across = int(way[0] != 0)  # lines are taken as if the edge were that to the north or to the south
    (here_x, here_y), (there_x, there_y) = ((x, y) if not across else (y, x) for x, y in (here, there))
    left, top = target.at if not across else target.at[::-1]
    outward = way[0] + way[1]
    edge = top if outward < 0 else top + target.space
    if (2 * here_y + 1 - 2 * edge) * outward <= 0:
        return False  # not on the outer side
    # The point where the line meets that of the edge, in halves of a square and as a share of its own height.
    height = 2 * (here_y - there_y)
    meets = (2 * there_x + 1) * height + 2 * (here_x - there_x) * (2 * edge - 2 * there_y - 1)
    low, high = sorted((2 * left * height, 2 * (left + target.space) * height))
    return low <= meets <= high if corner else low < meets < high


def refuse_spell_at_shield(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse rays and touches, which are attacks, at a target behind a closed edge
    (pf1.armor.tower-shield).
    """
    if spell.touch:
        refuse_touch(fight, caster, act.targets, spell.touch == "ranged")


def refuse_touch(fight: Fight, attacker: Combatant, targets: tuple[str, ...], ranged: bool) -> None:
    """Refuse attacks with a spell that would pass through a closed edge; friends are touched without one."""
    for name in targets:
        target = fight.state.combatants.get(name)
        if target is None or target is attacker or (target.side == attacker.side and not ranged):
            continue
        edge = closed_edge_between(fight, attacker, target)
        if edge:
            reason = f"{target.id} has total cover behind its shield, to the {edge}"
            raise Refusal(reason, fight.rule(TOWER))


def refuse_touch_at_shield(fight: Fight, actor: Combatant, act: acts.Touch) -> None:
    """Refuse to touch a target behind a closed edge with a held charge (pf1.armor.tower-shield)."""
    refuse_touch(fight, actor, act.targets, False)


# --- Weapons by the rows of Pathfinder's own tables: new ones, other figures and qualities, natural weapons
# A sheet names the row (`table`); other weapons have the figures of 3.5, given on the sheet
# (pf1.weapons.new-table, pf1.weapons.diff-table, pf1.weapons.specials-table, pf1.natural.size-table).

NEW: Final = "pf1.weapons.new-table"
DIFFERENT: Final = "pf1.weapons.diff-table"
QUALITIES: Final = "pf1.weapons.specials-table"
CHAIN: Final = "pf1.weapons.spiked-chain"
UNARMED: Final = "pf1.weapons.unarmed-note"
NATURAL: Final = "pf1.natural.size-table"
#: Qualities that the table decides, and their counterparts in 3.5.
TABLED: Final = frozenset(
    {"brace", "disarm", "double", "monk", "near-and-far", "nonlethal", "trip", "piercing", "bludgeoning"}
)
TYPES: Final = {"B": "bludgeoning", "P": "piercing", "S": "slashing"}
BLANK: Final = Weapon("", "")
SECONDARY: Final = " (secondary)"
#: Ounces of a pound.
OUNCES: Final = 16


def with_own_rows(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return a sheet whose weapons have the figures of their rows, and the rules.

    Refuses contradictions, and a weapon without damage.
    """
    weapons: list[Weapon] = []
    topics: list[str] = []
    for weapon in sheet.weapons:
        if weapon.table:
            weapon = natural_row(fight, sheet, weapon, topics)
            weapon = new_row(fight, sheet, weapon, topics)
            weapon = other_figures(fight, weapon, topics)
            weapon = with_qualities(fight, weapon, topics)
            if not weapon.damage:
                reason = f"{weapon.name}: no table of Pathfinder's own gives a {weapon.table} its damage"
                raise Refusal(reason, fight.rule(DIFFERENT))
        weapons.append(weapon)
    if not topics:
        return sheet, ()
    return replace(sheet, weapons=tuple(weapons)), fight.rules(*topics)


def is_row(weapon: Weapon, row: str) -> bool:
    """Return whether a weapon names a row, by its name there or its usual name: a spiked chain."""
    first, _, rest = row.partition(", ")
    return weapon.table in (row, f"{rest} {first}".strip())


def filled(fight: Fight, weapon: Weapon, found: Mapping[str, object], topic: str) -> Weapon:
    """Return a weapon with the figures of its row. Refuses different figures on the sheet."""
    for name, value in found.items():
        given = getattr(weapon, name)
        if given not in (getattr(BLANK, name), value):
            raise Refusal(
                explain_other_figure(weapon.name, name, weapon.table, value, given), fight.rule(topic)
            )
    return replace(weapon, **found)


def new_row(fight: Fight, sheet: Sheet, weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a weapon that the tables of 3.5 lack, with its figures (pf1.weapons.new-table)."""
    row = next((one for one in fight.figure(NEW) if is_row(weapon, one["name"])), None)
    if row is None:
        return weapon
    topics.append(NEW)
    shoots = row["cat"] == "ranged"
    found = {
        "damage_type": TYPES[row["type"]],
        "wield": "projectile" if shoots else row["cat"],
        "threat": row["threat"],
        "multiplier": int(row["mult"][1:]),
        "range": row["range_ft"] or 0,
        "thrown": bool(row["range_ft"]) and not shoots,
        "hands": 2 if row["cat"] == "two-handed" else weapon.hands,
    }
    column = {"small": "dmg_s", "medium": "dmg_m"}.get(weapon.size or sheet.size)
    if column is not None:
        found["damage"] = row[column]
    if column == "dmg_m":
        found["ounces"] = row["weight_lb"] * OUNCES
    return filled(fight, weapon, found, NEW)


def other_figures(fight: Fight, weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a weapon with figures that differ in Pathfinder from 3.5 (pf1.weapons.diff-table).

    A sai is not thrown; a gnome hooked hammer is of one kind or the other, not of both.
    """
    row = next((one for one in fight.figure(DIFFERENT) if is_row(weapon, one["name"])), None)
    if row is None:
        return weapon
    topics.append(DIFFERENT)
    changes = row["changes"]
    if "range_ft" in changes:
        feet = changes["range_ft"]["pf1"] or 0
        weapon = replace(weapon, range=feet, thrown=bool(feet))
    if "type" in changes:
        kinds = [TYPES[letter] for letter in changes["type"]["pf1"].split(" or ")]
        if weapon.damage_type not in (BLANK.damage_type, *kinds):
            words = f"a {weapon.table} is {' or '.join(kinds)}, not {weapon.damage_type}"
            raise Refusal(f"{weapon.name}: {words}", fight.rule(DIFFERENT))
        if weapon.damage_type not in kinds:
            weapon = replace(weapon, damage_type=kinds[0])
    return weapon


def with_qualities(fight: Fight, weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a weapon with the qualities that its row lists, in place of those of 3.5.

    A spiked chain has no reach; a quality of nonlethal damage does not apply to bare hands, which are no
    natural weapons (pf1.weapons.specials-table, pf1.weapons.spiked-chain, pf1.weapons.unarmed-note).
    """
    row = next((one for one in fight.figure(QUALITIES) if is_row(weapon, one)), "")
    if not row:
        return weapon
    topics.append(QUALITIES)
    listed = list(fight.figure(QUALITIES, row))
    reach = "reach" in listed
    if is_row(weapon, "chain, spiked"):
        topics.append(CHAIN)
        reach = bool(fight.figure(CHAIN, "reach"))
        listed.append("finesse")
    if "nonlethal" in listed:
        topics.append(UNARMED)
        if row == "unarmed strike":
            if weapon.wield == "natural":
                reason = f"{weapon.name}: an unarmed strike is no natural weapon"
                raise Refusal(reason, fight.rule(UNARMED))
            listed.remove("nonlethal")
            weapon = replace(weapon, wield="unarmed")
    kept = [trait for trait in weapon.traits if trait not in TABLED]
    traits = dict.fromkeys((*kept, *(one for one in listed if one != "reach")))
    return replace(weapon, reach=reach, traits=tuple(traits))


def natural_row(fight: Fight, sheet: Sheet, weapon: Weapon, topics: list[str]) -> Weapon:
    """Return a natural weapon with the damage of its creature's size, secondary if its kind is.

    Refuses weapons that creatures of that size do not have, and other dice (pf1.natural.size-table).
    """
    kinds = (one for one in fight.figure(NATURAL) if one != "sizes")
    kind = next((one for one in kinds if weapon.table in one.removesuffix(SECONDARY).split(", ")), "")
    if not kind:
        return weapon
    topics.append(NATURAL)
    place = fight.figure(NATURAL, "sizes").index(sheet.size.capitalize())
    dice = fight.figure(NATURAL, kind)[place]
    if dice is None:
        reason = f"{weapon.name}: no {sheet.size} creature has a {weapon.table} attack"
        raise Refusal(reason, fight.rule(NATURAL))
    weapon = filled(fight, weapon, {"damage": dice, "wield": "natural"}, NATURAL)
    secondary = kind.endswith(SECONDARY) and not {"primary", "secondary"} & set(weapon.traits)
    return replace(weapon, traits=(*weapon.traits, "secondary")) if secondary else weapon
