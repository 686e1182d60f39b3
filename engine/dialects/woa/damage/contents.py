"""The chapter on damage in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.damage import healing, injury, rest, weapon_damage
from affray.engine.dialects.woa.opportunity import shield_block
from affray.engine.dialects.woa.turns import special_actions
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import refine, when
from affray.engine.record.damage import Damage
from affray.engine.record.other_fields import SAID
from affray.engine.record.silent import never
from affray.engine.rules.damage.plain import PLAIN_DAMAGE, TYPES
from affray.events.facts import acts

DAMAGE: Damage = replace(
    PLAIN_DAMAGE,
    rolls=PLAIN_DAMAGE.rolls | rolls("1d10: injury", "bleeding, night"),
    questions=questions(
        "adapt-blinded: not yet, grown used to it",
        "adapt-deafened: not yet, grown used to it",
        "breath: holds on, loses it",
        "injury: <name>",
        "like: none of them, <name>",
        "mishap: falls, keeps going, goes under, nobody, <combatant>",
    ),
    acts={
        acts.Stabilize: Honours(special_actions.stabilize, "target"),
        acts.Treat: Honours(special_actions.treat_wound, "target"),
        acts.Rest: Honours(
            rest.rest,
            "hours minutes bed interrupted",
            under={"bed": {"hours": SAID}, "interrupted": {"hours": SAID}},
            refuses="healer care",
        ),
    },
    types=TYPES | {"light", "poison", "disease", "death", "energy drain", "negative"},
    deal=refine(
        weapon_damage.weapon_damage, when("damage.blocked_with == 'shield'", shield_block.suffer_in_place)
    ),
    suffer=weapon_damage.suffer,
    reduce=weapon_damage.reduce,
    injure=injury.injure,
    start_hurt=injury.start_hurt,
    settle=healing.settle,
    set_state=never,
    refuse_state=healing.refuse_no_state,
    death_at=injury.no_death_line,
    massive_damage=injury.no_massive_damage,
)
