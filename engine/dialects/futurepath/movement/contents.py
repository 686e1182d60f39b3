"""The chapter on movement in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.grapple import being_held
from affray.engine.dialects.futurepath.movement import half_speed, movement, postures
from affray.engine.record.acts import Honours
from affray.engine.record.compose import by_word, choose, when
from affray.engine.record.movement import Movement
from affray.engine.rules.movement import walking
from affray.engine.rules.movement.movement import slowing_rule
from affray.engine.rules.movement.plain import PLAIN_MOVEMENT
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

MOVEMENT: Movement = replace(
    PLAIN_MOVEMENT,
    acts={
        **PLAIN_MOVEMENT.acts,
        acts.Move: Honours(
            choose(*by_word("how", dict.fromkeys(half_speed.WAYS, half_speed.move_slowly)), walking.move),
            "path fast",
            how=("normal", *half_speed.WAYS),
            under={"fast": {"how": ("climb",)}},
        ),
        acts.Stand: Honours(choose(when("", postures.rise, holds=postures.is_low), minor_acts.stand)),
        acts.Step: Honours(movement.five_foot_step, "to"),
        acts.Withdraw: Honours(movement.retreat, "path"),
        acts.Run: Honours(movement.sprint, "path"),
    },
    slowing_rule=slowing_rule,
    may_stop=being_held.may_stay,
    leaving=choose(when("", walking.leaving, holds=movement.each_square_left), movement.leaving),
)
