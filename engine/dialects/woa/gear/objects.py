"""Implement objects: handling them, their sturdiness, and the effects of damage on them (woa.object.*)."""

from msgspec import Struct

from affray.engine.dialects.woa.damage.fallen import die
from affray.engine.dialects.woa.gear.draw_and_sheathe import (
    LONG,
    SECURED,
    get_stowed_place_of,
    get_taking_mode,
    is_done_with_round,
    lose_reactions_by_handling,
    refuse_full_hands,
    refuse_unheld,
)
from affray.engine.dialects.woa.magic.concentration import SET_UP
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.kernel.places import refuse_apart
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.classes.checks import check
from affray.engine.rules.gear import handling
from affray.engine.rules.gear.hands import lose
from affray.engine.rules.gear.objects import (
    make_door_fact,
    refuse_door_between,
    shield_of,
    shield_row,
    weapon_row,
)
from affray.engine.rules.gear.others_things import is_lying_in_reach, pick_up, refuse_to_pick_up
from affray.engine.rules.magic.touch_spells import discharge_into_object
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ItemChanged, ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Handling items: taking, moving, opening and hurling things, strapping on shields (woa.items.*)

SHORT = {"move": "moves the {}", "open": "opens the {}", "close": "closes the {}"}
#: The ways of handling a shield or another item.
WAYS = (*handling.BECOMES, "pick-up", "grab", "retrieve", *SHORT, *LONG)


def handle_item(fight: Fight, act: acts.Handle) -> Steps[None]:
    """Handle a shield or another item."""
    actor = fight.combatant(act.actor)
    if act.what.endswith("-shield"):
        yield from handling.handle_shield(fight, actor, act)
    elif act.what in ("pick-up", "grab", "retrieve"):
        yield from pick_up_item(fight, actor, act)
    else:
        yield from manipulate(fight, actor, act)


def pick_up_item(fight: Fight, actor: Combatant, act: acts.Handle) -> Steps[None]:
    """Pick an item up, grab one at hand, or take one out of a container.

    woa.items.manipulate-move, .retrieve-container, .free-hand-required, .manipulate-no-reactions
    """
    kind, topic = get_taking_mode(fight, actor, act)
    rule = fight.rule(topic)
    lies = is_lying_in_reach(fight, actor, act.item)
    ruined = actor.items.get(act.item) in ("broken", "gone") and not lies
    if not act.item or ruined:
        raise unknown_word(f"thing that {actor.id} can take", act.item, (), rule)
    if act.item in actor.held:
        raise Refusal(f"{actor.id} holds the {act.item} already", rule)
    if act.what == "retrieve" and actor.items.get(act.item) == "dropped":
        raise Refusal(f"{actor.id} has no {act.item!r} stored away", rule)
    if act.what == "pick-up" or (act.what == "grab" and lies):
        refuse_to_pick_up(fight, actor, act.item, rule)
    refuse_full_hands(fight, actor, act.item)
    yield spending(fight, actor, kind, f"{act.what}: {act.item}", rule)
    if act.what != "grab":
        yield from lose_reactions_by_handling(fight, actor, act.item)
    secured = act.what == "retrieve" and get_stowed_place_of(actor, act.item) == SECURED
    if secured and not (yield from is_done_with_round(fight, actor, act.item, topic)):
        return
    shield = any(bonus.kind == "shield" and bonus.source == act.item for bonus in actor.sheet.armor)
    state = handling.OFF if shield else "held"
    if lies and act.what != "retrieve":
        yield from pick_up(fight, actor, act.item, state, (rule,))
    else:
        yield ItemChanged(who=actor.id, item=act.item, state=state, cites=(rule,))
    yield from discharge_into_object(fight, actor, act.item)


def manipulate(fight: Fight, actor: Combatant, act: acts.Handle) -> Steps[None]:
    """Move, open or close an item, or handle it for as long as the game master decides.

    woa.items.manipulate-move, .manipulate-long
    """
    long = act.what in LONG
    topic = "woa.items.manipulate-long" if long else "woa.items.manipulate-move"
    rule = fight.rule(topic)
    kind, _, _ = str(fight.figure(topic, "action")).partition(" ")
    if not act.item:
        raise unknown_word(f"thing for {actor.id} to handle", act.item, (), rule)
    refuse_door_between(fight, actor, act, rule)
    refuse_full_hands(fight, actor, act.item)
    yield spending(fight, actor, kind, f"{act.what}: {act.item}", rule)
    yield from lose_reactions_by_handling(fight, actor, act.item)
    yield from discharge_into_object(fight, actor, act.item)
    if long and not (yield from is_done_with_round(fight, actor, act.item, topic)):
        return
    done = (LONG if long else SHORT)[act.what].format(act.item)
    yield RuleApplied(who=actor.id, what=done, cites=(rule,))
    yield from make_door_fact(fight, actor, act, rule)
    if act.what == "set-up":
        cites = (rule, fight.rule("woa.spell.component-material"))
        yield ConditionGained(who=actor.id, condition=SET_UP, source=act.item, cites=cites)


def hurl(fight: Fight, actor: Combatant, act: acts.Drop) -> Steps[None]:
    """Hurl a held item to a distant square, not as an attack (woa.items.hurl)."""
    rule = fight.rule("woa.items.hurl")
    kind = str(fight.figure("woa.items.hurl", "action"))
    refuse_unheld(actor, act.item, rule)
    assert act.to is not None  # otherwise it would be dropped
    if not fight.field.holds(act.to, 1):
        raise Refusal(f"{act.to[0]},{act.to[1]} is not on the map", rule)
    yield spending(fight, actor, kind, f"hurl the {act.item}", rule)
    yield from lose(fight, actor, act.item, "dropped", (rule,), act.to)
    x, y = act.to
    yield RuleApplied(who=actor.id, what=f"the {act.item} lands at {x},{y}", cites=(rule,))


# --- Ammunition of a shot (woa.items.draw-ammunition)


def spend_missile(fight: Fight, blow: Blow) -> Steps[None]:
    """Use up a missile for the shot, if ammunition is counted; melee attacks take none.

    woa.items.draw-ammunition
    """
    if blow.weapon.ammunition is not None and not blow.melee:
        cites = fight.rules("woa.items.draw-ammunition")
        yield ResourceSpent(who=blow.attacker.id, resource=blow.weapon.name, amount=1, cites=cites)


TABLE = "woa.object.durability-source"
#: The effects of a weapon on an object, the weakest last.
EFFECTS = ("full damage", "half damage", "no damage")
#: Materials that the rule names; all others are softer.
MATERIALS = ("wood", "metal", "stone")


class Object(Struct, frozen=True, gc=False):
    """The sturdiness of an object: hardness, full hit points, material, and the rules."""

    hardness: int
    hp: int
    material: str
    cites: tuple[str, ...]


def sturdiness(fight: Fight, holder: Combatant, item: str) -> Object | None:
    """Return the sturdiness of a weapon or shield from the table, None for an unlisted one.

    woa.object.durability-source
    """
    weapon = next((one for one in holder.sheet.weapons if one.name == item), None)
    if weapon is not None:
        row = weapon_row(weapon).lower()
    elif shield_of(holder, item):
        row = shield_row(item).lower()
    else:
        return None
    hardness, hp = (cell(fight, TABLE, f"object={row}", column) for column in ("hardness", "hp"))
    if hardness is None or hp is None:
        return None
    material = str(fight.figure(TABLE, f"object={row}", "material"))
    return Object(hardness.value, hp.value, material, (hardness.rule,))


def effect_on(fight: Fight, weapon: Weapon, thing: Object) -> Steps[str]:
    """Return the effect of a weapon on a material: "full damage", "half damage" or "no damage".

    If the rule is unclear, the game master decides; the rule's suggestion is the first option
    (woa.maneuver.sunder.ineffective-weapons).
    """
    topic = "woa.maneuver.sunder.ineffective-weapons"
    material = thing.material if thing.material in MATERIALS else "most softer materials"
    rows = fight.figure(topic)
    same = (row for row in rows if (row["weapon_type"], row["material"]) == (weapon.damage_type, material))
    said = str(next(same, {"effect": "full"})["effect"])
    usual = next((one for one in EFFECTS[1:] if one in said), EFFECTS[0])
    if usual == EFFECTS[0]:
        return usual
    options = (usual, *(one for one in EFFECTS if one != usual))
    question = f"a {weapon.damage_type} {weapon.name} against {thing.material}: what does it do?"
    return str((yield Choice("", "effective", question, options, fight.rule(topic))))


def is_damaged(fight: Fight, left: int, full: int) -> bool:
    """Return whether an object has half of its hit points or less (woa.object.state.damaged)."""
    above, below = str(fight.figure("woa.object.state.damaged", "threshold")).split()[2].split("/")
    return left * int(below) <= full * int(above)


def is_broken(fight: Fight, left: int) -> bool:
    """Return whether an object has so few hit points that it is useless (woa.object.state.broken)."""
    return left <= int(str(fight.figure("woa.object.state.broken", "threshold")).split()[-1])


def damaged_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty on an attack with a damaged weapon (woa.object.state.damaged)."""
    if not blow.attacker.resources:
        return []
    attacker, name = blow.attacker, blow.weapon.name
    if not attacker.resources.get(f"damage to {name}"):
        return []
    thing = sturdiness(fight, attacker, name)
    if thing is None or not is_damaged(fight, thing.hp - attacker.resources[f"damage to {name}"], thing.hp):
        return []
    topic = "woa.object.state.damaged"
    return [fight.modifier(topic, "use_penalty", kind="penalty", source=f"the {name} is damaged")]


def burst(fight: Fight, act: acts.Burst) -> Steps[None]:
    """Break an object by force as a standard action: a Strength check, easier if it is damaged.

    woa.object.state.damaged, .broken
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    broken, damaged = "object.state.broken", "woa.object.state.damaged"
    thing = target.sheet.thing
    if thing is None or not thing.break_dc or "dead" in target.conditions:
        raise Refusal(f"{target.id} cannot be broken by force", fight.rule(broken))
    refuse_apart(actor, target, fight.rule(broken))
    dc, cites = thing.break_dc, fight.rules(broken)
    if is_damaged(fight, target.hp, target.max_hp):
        dc += fight.figure(damaged, "break_dc_change")
        cites = fight.rules(broken, damaged)
    yield spending(fight, actor, "standard", "burst", *cites)
    parts = [Modifier(ability_now(fight, actor, "str"), "ability", "Strength", fight.rule(broken))]
    if (yield from check(fight, actor, "strength", parts, dc, *cites, why=f"to break {target.id}")):
        yield from die(fight, target, f"broken by {actor.id}", fight.rule(broken))
