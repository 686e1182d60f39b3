"""The chapters of the dialects that descend from 3.5, as the kernel asks for them."""

from collections.abc import Iterator, Mapping
from typing import Final

from affray.engine.fight.fight import Chapters, Fight, is_down
from affray.engine.kernel.contents import nothing_happens
from affray.engine.record.chapters import Bands, Left, StandingSums
from affray.engine.record.compose import nothing
from affray.engine.record.kernel import Kernel
from affray.engine.rules.attacks.attack_roll import combine_modifiers, standing_parts
from affray.engine.rules.classes.checks import changes_of_feats
from affray.engine.rules.classes.remarks import remarks
from affray.engine.rules.conditions.conditions import can_act
from affray.engine.rules.gear.hands import held_weapons
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.mounted.riding import mount_of
from affray.engine.rules.movement.movement import find_unseen_in_step, noticed, speed
from affray.engine.rules.position.places import cover_between, occupants
from affray.engine.rules.turns.actions import refuse_unless_allowed, rule_about
from affray.engine.rules.turns.initiative import why_left_behind
from affray.engine.rules.turns.proposals import GOES, PUT_TOGETHER, has_one_left, samples
from affray.engine.rules.turns.tactics import next_declaration
from affray.engine.steps import Refusal, Steps
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant, Effect


def kernel_of(chapters: Chapters) -> Kernel:
    """Return the kernel of a dialect that is made of chapters."""
    turns, movement = chapters.turns, chapters.movement
    return Kernel(
        acts={},
        initiative=turns.initiative,
        order=turns.order,
        open_round=turns.open_round,
        close_round=turns.close_round,
        open_turn=turns.open_turn,
        close_turn=turns.close_turn,
        budget=budget,
        action_type=turns.action_type,
        prohibitions=turns.prohibitions,
        through_walls=chapters.position.through_walls,
        can_act=can_act,
        around=turns.around,
        watch=turns.watch,
        afterwards=changes_of_feats,
        rule_about=rule_about,
        stack=chapters.attacks.stack,
        test_dice=chapters.attacks.test_dice,
        single_dice=frozenset(),
        standing_sums=standing_sums,
        sure_faces=chapters.attacks.sure_faces,
        injured=chapters.damage.settle,
        conditions=chapters.conditions.table,
        left_behind=why_left_behind,
        time_over=time_over,
        ending_rule=turns.ending_rule,
        space=chapters.position.space_and_reach,
        speed=feet_left,
        measure=movement.measure,
        occupants=occupants,
        refuse_step=movement.refuse_step,
        leaving=movement.leaving,
        can_react=has_one_left,
        react=nothing,  # their walk lets enemies react itself
        arriving=nothing_happens,  # and carries out what happens on the way
        notices=noticed,
        unseen_in_step=find_unseen_in_step,
        goer=goer,
        sight=cover_between,
        reach_bands=threatened_bands,
        arms=arms,
        pools=chapters.classes.pools,
        left=left,
        features={},
        sheet_names=chapters.classes.sheet_names,
        remarks=remarks,
        propose=turns.propose,
        next_declaration=next_declaration,
        proposals=PUT_TOGETHER,
        samples=samples,
        straight=GOES,
    )


def time_over(fight: Fight, combatant: Combatant, what: str | Effect) -> Steps[None]:
    """End a condition whose duration is over, or settle what an effect leaves behind."""
    if isinstance(what, str):
        return fight.dialect.conditions.time_over(fight, combatant, what)
    return fight.dialect.damage.effect_over(fight, combatant, what)


def budget(fight: Fight, combatant: Combatant) -> Mapping[str, int]:
    """Return how many actions of each kind a turn allows."""
    allowed = fight.dialect.turns.allowance(fight, combatant)
    kinds = {"standard": allowed.standard, "move": allowed.move, "full-round": int(allowed.full)}
    return kinds | {"swift": allowed.swift, "step": allowed.step}


def left(fight: Fight, combatant: Combatant) -> Iterator[Left]:
    """Yield which kinds of action a turn still allows a combatant."""
    for kind, most in budget(fight, combatant).items():
        if most and kind != "step":
            try:
                refuse_unless_allowed(fight, combatant, kind)
            except Refusal:
                yield Left(kind, 0, 1)
            else:
                yield Left(kind, 1, 1)


def standing_sums(fight: Fight, attacker: Combatant, target: Combatant, weapon: str) -> StandingSums:
    """Return the parts of a plain attack and of the defense against it, as they are now."""
    found = find_weapon(fight, attacker, weapon)
    blow = fight.dialect.attacks.prepare(fight, attacker, target, found, "attack")
    sums, standing = combine_modifiers(fight, blow).sums, standing_parts(fight, blow)
    bonus, against = sums.bonus, sums.against
    return StandingSums(
        found.name,
        tuple(bonus.parts),
        bonus.total,
        tuple(standing.attack),
        tuple(against.parts),
        against.total,
        tuple(standing.defense),
    )


def feet_left(fight: Fight, mover: Combatant) -> int:
    """Return how far a combatant can move with one action now, in feet."""
    return speed(fight, mover) - fight.dialect.movement.forfeit(fight, mover)


def threatened_bands(fight: Fight, combatant: Combatant) -> Bands:
    """Return the distances in feet that a combatant threatens; none in a grapple, and none of the fallen."""
    if GRAPPLED & combatant.conditions.keys() or is_down(fight, combatant):
        return ()
    return fight.dialect.position.reach_bands(fight, combatant)


GRAPPLED: Final = frozenset({"grappling", "grappled"})


def goer(fight: Fight, combatant: Combatant) -> Combatant:
    """Return the mount of a combatant, otherwise the combatant."""
    return mount_of(fight, combatant) or combatant


def arms(fight: Fight, combatant: Combatant) -> list[Weapon]:
    """Return the weapons in a combatant's hands, bare hands last."""
    return [*held_weapons(combatant), unarmed(fight, combatant)]
