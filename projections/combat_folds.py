"""How what happens in combat changes the state of a fight."""

from msgspec.structs import replace

from affray.events.facts import combat
from affray.projections.equal_sheets import one_of_equals
from affray.projections.handlers import folds
from affray.projections.state import Affliction, Condition, Effect, Encounter, printed_sheet, without_feats


@folds(combat.Moved, touches="places")
def _moved(state: Encounter, fact: combat.Moved) -> None:
    combatant = state.combatants[fact.who]
    if fact.path:
        combatant.at = fact.path[-1]
        if combatant.rider:
            state.combatants[combatant.rider].at = combatant.at
    if fact.space:
        combatant.space, combatant.stretch = fact.space, fact.stretch
    spent = combatant.spent
    spent["feet"] = spent.get("feet", 0) + fact.feet
    spent["diagonals"] = spent.get("diagonals", 0) + fact.diagonals


@folds(combat.Mounted, touches="combatants")
def _mounted(state: Encounter, fact: combat.Mounted) -> None:
    rider, mount = state.combatants[fact.who], state.combatants[fact.mount]
    rider.mount, rider.at, rider.space = fact.mount, fact.at, fact.space
    mount.rider, mount.riderless = fact.who, False


@folds(combat.Dismounted, touches="combatants")
def _dismounted(state: Encounter, fact: combat.Dismounted) -> None:
    rider, mount = state.combatants[fact.who], state.combatants[fact.mount]
    rider.mount, rider.at, rider.space = "", fact.at, fact.space
    mount.rider, mount.riderless = "", True


@folds(combat.MountDirected, touches="nothing")
def _directed(state: Encounter, fact: combat.MountDirected) -> None:
    state.combatants[fact.who]  # raises KeyError for a ghost
    mount = state.combatants[fact.mount]
    mount.acted, mount.spent = True, {}
    if fact.renewed:
        mount.reactions, mount.opportunities = {}, ()


@folds(combat.HitPointsChanged, touches="nothing")
def _hit_points(state: Encounter, fact: combat.HitPointsChanged) -> None:
    combatant = state.combatants[fact.who]
    combatant.hp, combatant.nonlethal, combatant.temporary = fact.hp, fact.nonlethal, fact.temporary


@folds(combat.ConditionGained, touches="combatants")
def _gained(state: Encounter, fact: combat.ConditionGained) -> None:
    conditions = state.combatants[fact.who].conditions
    conditions[fact.condition] = Condition(fact.source, fact.until, fact.level, fact.aloft)


@folds(combat.ConditionLost, touches="combatants")
def _lost(state: Encounter, fact: combat.ConditionLost) -> None:
    state.combatants[fact.who].conditions.pop(fact.condition, None)


@folds(combat.EffectGained, touches="combatants")
def _effect(state: Encounter, fact: combat.EffectGained) -> None:
    combatant = state.combatants[fact.who]
    combatant.effects += (Effect(fact.id, fact.stat, fact.modifier, fact.until, fact.against, fact.uses),)


@folds(combat.EffectEnded, touches="combatants")
def _effect_ended(state: Encounter, fact: combat.EffectEnded) -> None:
    combatant = state.combatants[fact.who]
    combatant.effects = tuple(effect for effect in combatant.effects if effect.id != fact.id)


@folds(combat.DoorMoved, touches="map")
def _door(state: Encounter, fact: combat.DoorMoved) -> None:
    found = {one.door for one in state.barriers}
    if not fact.door or fact.door not in found:
        raise KeyError(fact.door)
    state.barriers = tuple(
        replace(one, open=fact.open) if one.door == fact.door else one for one in state.barriers
    )


@folds(combat.SideChanged, touches="combatants")
def _side(state: Encounter, fact: combat.SideChanged) -> None:
    combatant = state.combatants[fact.who]
    own = combatant.own_side or combatant.side
    combatant.side, combatant.own_side = fact.side, "" if fact.side == own else own


@folds(combat.GripChanged, touches="combatants")
def _grip(state: Encounter, fact: combat.GripChanged) -> None:
    combatant = state.combatants[fact.who]
    sheet = combatant.sheet
    weapons = tuple(
        replace(one, hands=fact.hands, wield=fact.wield) if one.name == fact.item else one
        for one in sheet.weapons
    )
    combatant.sheet = one_of_equals(replace(sheet, weapons=weapons))


@folds(combat.ItemStruck, touches="combatants")
def _struck(state: Encounter, fact: combat.ItemStruck) -> None:
    resources = state.combatants[fact.bearer].resources
    place = f"damage to {fact.item}"
    resources[place] = resources.get(place, 0) + fact.dealt


@folds(combat.ResourceSpent, touches="combatants")
def _resource(state: Encounter, fact: combat.ResourceSpent) -> None:
    one, name = state.combatants[fact.who], fact.resource
    one.resources = {**one.resources, name: one.resources.get(name, 0) + fact.amount}


@folds(combat.InjurySuffered, touches="combatants")
def _injury(state: Encounter, fact: combat.InjurySuffered) -> None:
    state.combatants[fact.who].injuries += (fact.name,)


@folds(combat.AbilityChanged, touches="combatants")
def _ability(state: Encounter, fact: combat.AbilityChanged) -> None:
    losses = state.combatants[fact.who].losses
    for name, points in ((fact.ability, fact.damage), (f"{fact.ability} drain", fact.drain)):
        losses.pop(name, None)
        if points:
            losses[name] = points


@folds(combat.FeatsChanged, touches="combatants")
def _feats(state: Encounter, fact: combat.FeatsChanged) -> None:
    one = state.combatants[fact.who]
    one.sheet = one_of_equals(without_feats(printed_sheet(one), fact.unusable))
    one.unusable = fact.unusable


@folds(combat.MaximumChanged, touches="combatants")
def _maximum(state: Encounter, fact: combat.MaximumChanged) -> None:
    state.combatants[fact.who].max_hp = fact.max_hp


@folds(combat.AfflictionHeld, touches="combatants")
def _afflicted(state: Encounter, fact: combat.AfflictionHeld) -> None:
    combatant = state.combatants[fact.who]
    held = Affliction(fact.id, fact.rider, fact.by, fact.dc, fact.round, fact.minute, fact.treated)
    combatant.afflictions = (*(one for one in combatant.afflictions if one.id != fact.id), held)


@folds(combat.AfflictionEnded, touches="combatants")
def _relieved(state: Encounter, fact: combat.AfflictionEnded) -> None:
    combatant = state.combatants[fact.who]
    combatant.afflictions = tuple(one for one in combatant.afflictions if one.id != fact.id)
