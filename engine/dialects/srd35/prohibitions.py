"""What is forbidden under `srd35`: by bonds, holds, mounts, fear, rage, places, natures and minds."""

from typing import get_args

from affray.engine.dialects.srd35.classes import rage, turned_undead
from affray.engine.dialects.srd35.defense import incorporeal
from affray.engine.dialects.srd35.grapple import grapple_state, restraints
from affray.engine.dialects.srd35.position import escape_artist, ethereal
from affray.engine.record.compose import about, when
from affray.engine.rules.attacks import swarm_prohibitions
from affray.engine.rules.classes import flight_from_turner, rage_scores
from affray.engine.rules.conditions import compulsion, flight_from_fear, mental_actions
from affray.engine.rules.gear import nets
from affray.engine.rules.mounted import ride_skill
from affray.engine.rules.movement import brink
from affray.engine.rules.position import place, tight_form
from affray.engine.rules.senses import hidden
from affray.engine.rules.turns import prohibitions
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct

#: What is aimed at somebody.
AIMED = tuple(kind for kind in get_args(AnyAct) if {"target", "strikes"} & set(kind.__struct_fields__))

PROHIBITIONS = (
    about((acts.Delay, acts.Resume, acts.Ready), prohibitions.refuse_change_of_initiative),
    when(f"{mental_actions.PARALYZED!r} in conditions", prohibitions.refuse_but_delay),
    about(brink.WALKS, when(f"{place.CHASM!r} in conditions", brink.refuse_to_walk_out)),
    when("'bound' in conditions", restraints.refuse_bound),
    when("'tethered' in conditions", nets.refuse_beyond_rope),
    when("'grappling' in conditions", grapple_state.refuse_no_option),
    when("mount or rider or riderless", ride_skill.refuse_astride),
    when("'turned' in conditions", flight_from_turner.refuse_but_flight),
    when("'frightened' in conditions", flight_from_fear.refuse_to_frightened),
    when("'commanded' in conditions", turned_undead.refuse_without_orders),
    about(
        (acts.Cast, acts.Attack, acts.FullAttack),
        when(f"{rage_scores.RAGING!r} in conditions", rage.refuse_patience),
    ),
    about(tight_form.ATTACKS, when(f"{tight_form.WRIGGLING!r} in conditions", escape_artist.refuse_attack)),
    about(
        (*swarm_prohibitions.BLOWS, *swarm_prohibitions.HOLDS, *swarm_prohibitions.AIMED),
        swarm_prohibitions.refuse_single,
    ),
    about(
        (acts.Attack, acts.FullAttack, acts.Charge),
        when("", hidden.refuse_unnoticed, holds=prohibitions.effect_on_anybody),
    ),
    about(incorporeal.HOLDS, incorporeal.refuse_holds),
    about((*AIMED, acts.Touch), when("", ethereal.refuse_other_plane, holds=ethereal.anybody_beyond)),
    when("effects", compulsion.refuse_against_compulsion),
)
"""In the order in which they are said: the first that forbids an act is the reason that is given."""
