"""The chapter on movement in woa: what stands at each point that is not plain.

With a `race` the speed is worked out, and what is `carried` is a burden. Traits name other ways of moving
("burrow 20", "brachiation 30", "granted climb 20" for one that a device gives) and who evades the ground
("flying", "incorporeal", "gaseous", "weightless"). Who is "flying" without a `fly` speed is borne by magic.
`bare` leaves "hit points" of Constitution and the "speed" to the size; a suit that is `worn` protects as much
as its size lets it.
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.classes import turn_undead
from affray.engine.dialects.woa.magic import devices
from affray.engine.dialects.woa.mounted import mount_movement
from affray.engine.dialects.woa.movement import (
    aloft,
    blind_movement,
    climb_and_burrow,
    fall,
    fly,
    move_modes,
    movement,
    obstacles,
    walking,
)
from affray.engine.dialects.woa.opportunity import attacks_of_opportunity
from affray.engine.dialects.woa.position import creature_as_terrain, pass_through, posture
from affray.engine.dialects.woa.turns import triggers
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import amend, choose, refine, steps, when
from affray.engine.record.movement import Movement
from affray.engine.rules.movement import unseen
from affray.engine.rules.movement.plain import PLAIN_MOVEMENT
from affray.events.facts import acts

MOVEMENT: Movement = replace(
    PLAIN_MOVEMENT,
    rolls=rolls("1d20: acrobatics, athletics, balance", "fall"),
    questions=questions(
        "burns: goes out, burns all the same",
        "dc: <number>",
        "depth: <feet>",
        "pursuit: a chase, intercepted, escaped",
        "take-10: take 10, roll",
    ),
    acts={
        acts.Move: Honours(
            move_modes.move,
            "path dc fast up wide high rise",
            how=move_modes.HOW,
            surface=climb_and_burrow.climbable_surfaces,
            under=move_modes.READ_BY,
        ),
        acts.Step: Honours(
            steps(
                mount_movement.refuse_to_ride,
                refine(amend(mount_movement.as_mount, movement.short_step), mount_movement.tell_ride),
            ),
            "to",
        ),
        acts.Run: Honours(blind_movement.run_blindly, "path"),
        acts.Stand: Honours(posture.stand, "to how", under={"to": {"how": ("", "evading", "slowly")}}),
        acts.Fall: Honours(
            fall.fall,
            "target feet",
            refuses="onto pounds",
        ),
    },
    laden=devices.activate_worn_items,
    leaving=attacks_of_opportunity.leaving,
    walk=walking.walk,
    refuse_step=pass_through.refuse_step,
    refuse_entry=pass_through.refuse_entry,
    after_running_into=steps(unseen.no_longer_hides, blind_movement.hurt_by_rushing),
    measure=pass_through.measure,
    scaled_diagonals=True,
    may_pass=pass_through.passes_freely,
    barrier_fault=obstacles.fault_of_barrier,
    after_movement=steps(
        creature_as_terrain.carry_along,
        triggers.let_readied_act,
        turn_undead.affect_undead_after_movement,
    ),
    running=movement.running,
    fall=steps(
        when("conditions", climb_and_burrow.lose_hold),
        choose(when(f"{aloft.FLYING!r} in conditions", fly.fall_from_the_air), fall.plummet),
    ),
)
