"""`srd35`: the D&D 3.5 combat rules, point by point."""

from collections.abc import Mapping, Sequence
from typing import Any

from affray.engine.book import Book
from affray.engine.dialects.dialect import Dialect, Points
from affray.engine.dialects.srd35 import readings
from affray.engine.dialects.srd35.conditions import CONDITIONS
from affray.engine.dialects.srd35.features import FEATURES
from affray.engine.fight import Fight
from affray.engine.modifiers import STACKING, Tally, stack_typed
from affray.engine.rules import (
    actions,
    aid,
    attack,
    bull_rush,
    charge,
    checks,
    coup,
    damage,
    defense,
    deliver,
    disarm,
    feint,
    flow,
    grapple,
    hold,
    injury,
    minor,
    movement,
    overrun,
    provoke,
    ready,
    situation,
    sunder,
    trip,
)
from affray.engine.rules.magic import casting, effect
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier

ACTS: Mapping[type[acts.Act], Any] = {
    acts.Enter: minor.enter,
    acts.Begin: flow.begin,
    acts.EndTurn: flow.end_turn,
    acts.Move: movement.move,
    acts.Step: movement.step,
    acts.Withdraw: movement.withdraw,
    acts.Run: movement.run,
    acts.Charge: charge.charge,
    acts.Attack: actions.attack,
    acts.FullAttack: actions.full_attack,
    acts.TotalDefense: actions.total_defense,
    acts.Aid: aid.aid,
    acts.CoupDeGrace: coup.coup_de_grace,
    acts.Delay: ready.delay,
    acts.Resume: ready.resume,
    acts.Ready: ready.ready,
    acts.Brace: deliver.brace,
    acts.Cast: casting.cast,
    acts.Stand: minor.stand,
    acts.Drop: minor.drop,
    acts.Draw: minor.draw,
    acts.Sheathe: minor.sheathe,
    acts.Load: minor.load,
    acts.Trip: trip.trip,
    acts.Disarm: disarm.disarm,
    acts.Sunder: sunder.sunder,
    acts.BullRush: bull_rush.bull_rush,
    acts.Overrun: overrun.overrun,
    acts.Feint: feint.feint,
    acts.Grapple: grapple.grapple,
    acts.Stabilize: minor.stabilize,
    acts.Speak: minor.speak,
    acts.Hazard: minor.hazard,
    acts.Close: flow.close,
}


def stack(fight: Fight, parts: Sequence[Modifier]) -> Tally:
    """Add up by type: the best of each, dodge and the like together (srd35.bonus.*)."""
    return stack_typed(parts, stacks=STACKING, rule=fight.rule("bonus.same-type"))


def defensive_casting_dc(fight: Fight, spell: Any) -> int:
    """Return the DC to cast without provoking: 15 + spell level (srd35.cast.defensively)."""
    return fight.formula("cast.defensively", "dc") + int(spell.level)


POINTS = Points(
    acts=ACTS,
    surprise=flow.surprise,
    initiative=flow.initiative,
    order=flow.order,
    open_round=flow.open_round,
    close_round=readings.close_round,
    open_turn=flow.open_turn,
    close_turn=flow.close_turn,
    allowance=readings.allowance,
    stack=stack,
    reactions=hold.into_grapple,
    attack_bonus=attack.attack_bonus,
    attack_situation=readings.attack_situation,
    defense_bonus=defense.defense_bonus,
    defense_situation=readings.defense_situation,
    dexterity_denied=readings.dexterity_denied,
    cover=readings.cover_parts,
    miss_chance=situation.miss_chance,
    threatens_critical=attack.natural_threat,
    confirm=attack.confirm,
    damage=damage.weapon_damage,
    strength_damage=damage.strength_share,
    full_attacks=actions.full_attacks,
    defensive_casting_dc=defensive_casting_dc,
    minimum_is_nonlethal=False,
    reduce=damage.reduce,
    injure=injury.injure,
    death_at=readings.death_at,
    massive_damage=injury.massive_damage,
    leaving=movement.leaving,
    arrived=movement.arrived,
    running=movement.running,
    propose=flow.no_plans,
    opportunities=provoke.opportunities,
    sheltered=provoke.sheltered,
    save_bonus=checks.save_bonus,
    dying=readings.dying,
    nonlethal_limit=damage.no_nonlethal_limit,
    helpless_dexterity=readings.helpless_dexterity,
    space_and_reach=minor.space_and_reach,
    opportunity=movement.once_a_round,
    hampered_dc=readings.hampered_dc,
    ranged_touch_provokes=False,
    reflex_cover=effect.reflex_cover,
    run_multiple=movement.run_multiple,
    may_pass=readings.may_pass,
    permit=hold.permit,
    substitutes={
        "trip": trip.TRIP,
        "disarm": disarm.DISARM,
        "sunder": sunder.SUNDER,
        "grapple": grapple.GRAPPLE,
    },
    features=FEATURES,
)


def build(book: Book) -> Dialect:
    """Return the dialect over a catalogue (perhaps one with changed figures)."""
    return Dialect(
        name="srd35",
        title="D&D 3.5 System Reference Document",
        book=book,
        options={name: entry.default for name, entry in book.contested.items()},
        points=POINTS,
        conditions=CONDITIONS,
    )
