"""The plain values of the chapter on attacks: complete, for a dialect to start from."""

from collections.abc import Sequence
from typing import Any

from affray.engine.fight.fight import Fight
from affray.engine.modifiers import STACKING, Tally, stack_typed
from affray.engine.record.acts import Honours
from affray.engine.record.attacks import Attacks
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks import (
    attack_action,
    attack_modifiers,
    attack_roll,
    attack_series,
    coup_de_grace,
    declared_blow,
)
from affray.engine.rules.attacks.attack_modifiers import (
    nothing_bars,
    range_increment,
    solid_surface,
)
from affray.engine.rules.attacks.attack_roll import (
    finesse,
    judged_alone,
    no_aftermath,
    no_reactions,
    none_turned_aside,
    nothing_follows,
    solid,
    still_missed,
)
from affray.engine.rules.attacks.attack_series import usual_strikes
from affray.engine.rules.attacks.coup_de_grace import bows_finish
from affray.engine.rules.attacks.critical_hits import confirm, natural_threat
from affray.engine.rules.attacks.two_weapon_fighting import one_by_one
from affray.events.facts import acts
from affray.events.facts.acts import Act
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def by_type(fight: Fight, parts: Sequence[Modifier]) -> Tally:
    """Add up by type: the best of each, dodge, racial and the like together (pf1.bonus.stacking)."""
    return stack_typed(parts, stacks=STACKING, rule=fight.rule("bonus.stacking"))


def no_pledges(fight: Fight, who: Combatant, act: Act, blows: Sequence[Blow]) -> list[Any]:
    """Let an attack be an attack: for dialects in which nothing is pledged with it."""
    return []


PLAIN_ATTACKS = Attacks(
    acts={
        acts.TotalDefense: Honours(attack_action.total_defense),
        acts.CoupDeGrace: Honours(coup_de_grace.coup_de_grace, "target weapon"),
    },
    stack=by_type,
    prepare=declared_blow.prepare,
    deliver=declared_blow.deliver,
    before_roll=no_reactions,
    before_attacks=no_reactions,
    before_blow=no_aftermath,
    attack_bonus=attack_roll.attack_bonus,
    attack_situation=attack_roll.common_attack_situation,
    range_increment=range_increment,
    finesse=finesse,
    miss_chance=attack_modifiers.miss_chance,
    barred=nothing_bars,
    through_surface=solid_surface,
    deciding_rules=judged_alone,
    threatens_critical=natural_threat,
    confirm_critical=confirm,
    finds_its_mark=still_missed,
    passes_through=solid,
    deflected=none_turned_aside,
    after_miss=no_aftermath,
    after_hit=nothing_follows,
    after_blow=no_aftermath,
    after_maneuver=no_aftermath,
    attack_series=attack_series.full_attacks,
    usual_strikes=usual_strikes,
    declared_feats=no_pledges,
    drawn_together=one_by_one,
    finishing_weapon=bows_finish,
    no_automatic_rule="",
)
