"""What is forbidden under `srd35`: by bonds, holds, mounts, fear, rage, places, natures and minds."""

from typing import get_args

from affray.engine.dialects.srd35.attacks import swarms
from affray.engine.dialects.srd35.classes import rage, turned_undead
from affray.engine.dialects.srd35.conditions import confusion_fascination
from affray.engine.dialects.srd35.defense import incorporeal
from affray.engine.dialects.srd35.grapple import grapple_state, restraints
from affray.engine.dialects.srd35.mounted import ride_skill as srd35_ride_skill
from affray.engine.dialects.srd35.position import escape_artist, ethereal
from affray.engine.dialects.srd35.senses import hide
from affray.engine.dialects.srd35.turns import delay_and_ready
from affray.engine.record.turns import MARKED, PAIRED, Check
from affray.engine.rules.conditions import mental_actions
from affray.engine.rules.turns import prohibitions
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct

#: What is aimed at somebody.
AIMED = tuple(kind for kind in get_args(AnyAct) if {"target", "strikes"} & set(kind.__struct_fields__))

CHECKS = (
    Check(delay_and_ready.refuse_change_of_initiative, (acts.Delay, acts.Resume, acts.Ready)),
    Check(prohibitions.refuse_bodily, condition=mental_actions.PARALYZED),
    Check(restraints.refuse_bound, condition="bound"),
    Check(restraints.refuse_beyond_rope, condition="tethered"),
    Check(grapple_state.refuse_no_option, condition="grappling"),
    Check(srd35_ride_skill.refuse_astride, condition=PAIRED),
    Check(turned_undead.refuse_but_flight, condition="turned"),
    Check(turned_undead.refuse_without_orders, condition="commanded"),
    Check(rage.refuse_patience, (acts.Cast, acts.Attack, acts.FullAttack), rage.RAGING),
    Check(escape_artist.refuse_attack, escape_artist.ATTACKS, escape_artist.WRIGGLING),
    Check(swarms.refuse_single, (*swarms.BLOWS, *swarms.HOLDS, acts.Cast)),
    Check(hide.refuse_unnoticed, (acts.Attack, acts.FullAttack, acts.Charge), MARKED),
    Check(incorporeal.refuse_holds, incorporeal.HOLDS),
    Check(ethereal.refuse_other_plane, (*AIMED, acts.Touch), MARKED),
    Check(confusion_fascination.refuse_against_compulsion, condition=MARKED),
)
"""In the order in which they are said: the first that forbids an act is the reason that is given."""
