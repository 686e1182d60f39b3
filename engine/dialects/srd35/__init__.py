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
    blasting,
    bonds,
    bull_rush,
    coup,
    damage,
    deliver,
    disarm,
    donning,
    equip,
    feint,
    flow,
    grapple,
    grip,
    guard,
    injury,
    loosing,
    magic,
    material,
    minor,
    movement,
    natural,
    overrun,
    provoke,
    ready,
    situation,
    snaring,
    sunder,
    thing,
    trip,
)
from affray.engine.rules.hold import into_grapple
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
    acts.Charge: blasting.charge,
    acts.Attack: loosing.attack,
    acts.FullAttack: loosing.full_attack,
    acts.TotalDefense: actions.total_defense,
    acts.Aid: aid.aid,
    acts.CoupDeGrace: coup.coup_de_grace,
    acts.Delay: ready.delay,
    acts.Resume: ready.resume,
    acts.Ready: ready.ready,
    acts.Brace: deliver.brace,
    acts.Cast: magic.cast,
    acts.Stand: minor.stand,
    acts.Drop: minor.drop,
    acts.Draw: loosing.draw,
    acts.Sheathe: minor.sheathe,
    acts.Load: loosing.load,
    acts.Trip: trip.trip,
    acts.Disarm: disarm.disarm,
    acts.Sunder: sunder.sunder,
    acts.BullRush: bull_rush.bull_rush,
    acts.Overrun: overrun.overrun,
    acts.Feint: feint.feint,
    acts.Grapple: grapple.grapple,
    acts.Don: donning.don,
    acts.Doff: donning.doff,
    acts.Shelter: donning.shelter,
    acts.Sleep: donning.sleep,
    acts.Bind: bonds.bind,
    acts.BreakFree: bonds.break_free,
    acts.Burst: thing.burst,
    acts.AwesomeBlow: blasting.awesome_blow,
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
    reactions=into_grapple,
    attack_bonus=attack.attack_bonus,
    attack_situation=readings.attack_situation,
    defense_bonus=guard.defense_bonus,
    defense_situation=readings.defense_situation,
    dexterity_denied=readings.dexterity_denied,
    cover=readings.cover_parts,
    miss_chance=situation.miss_chance,
    threatens_critical=attack.natural_threat,
    confirm=attack.confirm,
    damage=damage.weapon_damage,
    strength_damage=grip.strength_damage,
    full_attacks=natural.full_attacks,
    usual_strikes=natural.usual_strikes,
    defensive_casting_dc=defensive_casting_dc,
    minimum_is_nonlethal=False,
    reduce=material.reduce,
    injure=thing.injure,
    death_at=readings.death_at,
    massive_damage=injury.massive_damage,
    leaving=movement.leaving,
    arrived=movement.arrived,
    running=movement.running,
    propose=flow.no_plans,
    opportunities=provoke.opportunities,
    sheltered=guard.sheltered,
    bonds=bonds.sturdiness,
    barred=guard.barred,
    save_bonus=thing.save_parts,
    saves_never=thing.saves_never,
    dying=readings.dying,
    nonlethal_limit=damage.no_nonlethal_limit,
    helpless_dexterity=readings.helpless_dexterity,
    space_and_reach=minor.space_and_reach,
    opportunity=movement.once_a_round,
    hampered_dc=readings.hampered_dc,
    ranged_touch_provokes=False,
    reflex_cover=magic.reflex_cover,
    run_multiple=movement.run_multiple,
    may_pass=readings.may_pass,
    permit=bonds.permit,
    substitutes={
        "trip": trip.TRIP,
        "disarm": disarm.DISARM,
        "sunder": sunder.SUNDER,
        "grapple": grapple.GRAPPLE,
    },
    features=FEATURES,
    before_blow=loosing.before_blow,
    after_blow=loosing.after_blow,
    struck=snaring.struck,
    equip=equip.from_tables,
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
