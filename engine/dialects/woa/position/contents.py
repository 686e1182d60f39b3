"""The chapter on position in woa: what stands at each point that is not plain.

Who has the trait "fills its space" lets nobody by. `move` goes by "crawl", "crowd" (into the space of
others), "squeeze" or "wriggle" where it is so many feet `wide` and `high`; `drop` takes "prone", "crouching",
"kneeling", "sitting" or "seated" too. Traits: "height 6", "phalanx", "charging line".
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.position import creature_as_terrain, high_ground, space_and_reach
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.position import Position
from affray.engine.rules.position.plain import PLAIN_POSITION
from affray.events.facts import acts

POSITION: Position = replace(
    PLAIN_POSITION,
    rolls=rolls("1d20: hinder", "2d6: trample"),
    questions=questions(
        "crushed: dies, by its hit points",
        "foothold: no, yes",
        "hinder: hinder, let be",
        "let-by: bar, let by",
        "motion: moving, violently moving",
        "obstruction: lightly obstructed, severely obstructed",
        "trample-damage: 1d6, 2d6, 4d6, 6d6, 8d6, none",
        "trample-dc: <number>, no danger",
        "tread: with care, carelessly",
    ),
    acts={
        acts.Clamber: Honours(
            creature_as_terrain.clamber, "target what to", under={"to": {"what": ("off",)}}
        ),
        acts.ShakeOff: Honours(creature_as_terrain.shake_off, "target how"),
    },
    space_and_reach=space_and_reach.space_and_reach,
    placed=space_and_reach.rules_of_space,
    reach_bands=space_and_reach.bands,
    levels_apart=high_ground.height_apart,
)
