"""`srd35`: the D&D 3.5 combat rules, point by point."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from affray.engine.book import Book
from affray.engine.dialects.dialect import Dialect, Points
from affray.engine.dialects.srd35 import readings
from affray.engine.dialects.srd35.conditions import CONDITIONS
from affray.engine.dialects.srd35.features import FEATURES
from affray.engine.fight import Fight
from affray.engine.modifiers import STACKING, Tally, stack_typed
from affray.engine.rules import (
    actions,
    actions_table,
    aftermath,
    aiding,
    attack,
    barding,
    bull_rush,
    checks,
    counterspell,
    coup,
    damage,
    defense,
    disarm,
    ease,
    feint,
    fists,
    flow,
    free,
    full_attack,
    gallop,
    grapple,
    guiding,
    hold,
    improved_critical,
    injury,
    minor,
    mounted,
    movement,
    overrun,
    pledges,
    provoke,
    ready,
    reckoning,
    redirect,
    riding,
    rush,
    saddle,
    seat,
    shots,
    situation,
    split,
    sunder,
    trip,
    two_weapons,
    waiting,
)
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier

ACTS: Mapping[type[acts.Act], Any] = {
    acts.Enter: riding.enter,
    acts.Begin: flow.begin,
    acts.EndTurn: flow.end_turn,
    acts.Move: mounted.move,
    acts.Step: mounted.step,
    acts.Withdraw: mounted.withdraw,
    acts.Run: mounted.run,
    acts.Charge: rush.charge,
    acts.Attack: mounted.attack,
    acts.FullAttack: mounted.full_attack,
    acts.Manyshot: shots.manyshot,
    acts.UseFeat: pledges.use_feat,
    acts.TotalDefense: actions.total_defense,
    acts.Aid: aiding.aid,
    acts.CoupDeGrace: coup.coup_de_grace,
    acts.Delay: waiting.delay,
    acts.Resume: waiting.resume,
    acts.Ready: ready.ready,
    acts.Brace: waiting.set_weapon,
    acts.Counterspell: counterspell.counterspell,
    acts.Cast: redirect.cast,
    acts.Redirect: redirect.redirect,
    acts.Mount: riding.mount,
    acts.Dismount: riding.dismount,
    acts.Guide: guiding.guide,
    acts.Ride: gallop.ride,
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
    acts.Circumstance: ease.circumstance,
    acts.Split: split.split,
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
    open_turn=waiting.open_turn,
    close_turn=riding.close_turn,
    allowance=readings.allowance,
    stack=stack,
    reactions=hold.into_grapple,
    attack_bonus=attack.attack_bonus,
    attack_situation=readings.attack_situation,
    defense_bonus=defense.defense_bonus,
    defense_situation=readings.defense_situation,
    dexterity_denied=readings.dexterity_denied,
    cover=shots.past_cover(readings.cover_parts),
    miss_chance=shots.past_concealment(situation.miss_chance),
    threatens_critical=improved_critical.widened(attack.natural_threat),
    confirm=attack.confirm,
    damage=aftermath.weapon_damage,
    strength_damage=damage.strength_share,
    full_attacks=full_attack.full_attacks,
    pledged=pledges.pledged,
    armed=fists.armed,
    turned_aside=fists.deflected,
    struck=aftermath.struck,
    range_increment=shots.range_increment,
    rated=actions_table.rated,
    safe=actions_table.safe,
    still=actions_table.still,
    reasonable=free.reasonable,
    taking=ease.taking,
    drawn_together=two_weapons.drawn_together,
    reckoned=reckoning.reckoned,
    no_automatic="check.no-auto",
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
    reflex_cover=readings.reflex_cover,
    run_multiple=barding.run_multiple,
    may_pass=readings.may_pass,
    permit=saddle.permit,
    substitutes={
        name: replace(plan, listed=("special-attack.table",))
        for name, plan in {
            "trip": trip.TRIP,
            "disarm": disarm.DISARM,
            "sunder": sunder.SUNDER,
            "grapple": grapple.GRAPPLE,
        }.items()
    },
    features=FEATURES,
    pace=barding.pace,
    attend=seat.attend,
    interrupt=waiting.interrupt,
    averted=seat.averted,
    tripped_footing=seat.tripped_footing,
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
