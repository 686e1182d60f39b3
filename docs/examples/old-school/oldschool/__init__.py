"""An old-school adventure game: sides roll for initiative, armor class counts down, morale breaks."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.kernel.contents import KERNEL as BASE
from affray.engine.kernel.movement import measure_by_squares
from affray.engine.record.acts import ActSpec
from affray.engine.record.chapters import ConditionRule
from affray.engine.record.compose import about, prohibit, when
from affray.engine.record.kernel import Kernel
from affray.events.facts import acts
from oldschool import combat
from oldschool.combat import Breathe, LightTorch

TITLE: Final = "Old-school adventure game"


class SheetFields(Struct, frozen=True, forbid_unknown_fields=True):
    """What a sheet has besides hit points, hit dice, abilities, speed and weapons."""

    armor: int = 0
    shield: bool = False
    morale: int = 0
    death: int = 12
    wands: int = 13
    paralysis: int = 14
    breath: int = 15
    spells: int = 16
    breath_feet: int = 0


SHEET_FIELDS: Final = SheetFields

KERNEL: Final[Kernel] = replace(
    BASE,
    acts={
        **BASE.acts,
        acts.Attack: ActSpec(combat.attack, "target weapon", rule="attack"),
        Breathe: ActSpec(combat.breathe, "targets", rule="breath", sentence="{actor} breathes on {targets}"),
        LightTorch: ActSpec(combat.light_torch, rule="torch", sentence="{actor} lights a torch"),
    },
    rolls={"initiative": "1d6", "attack": "1d20", "damage": "", "morale": "2d6", "save-breath": "1d20"},
    open_round=combat.open_round,
    budget=combat.budget,
    action_type=combat.action_type,
    prohibitions=prohibit(
        about((acts.Attack, Breathe), when("'fleeing' in conditions", combat.refuse_fleeing)),
        about((acts.Move,), combat.refuse_move_after_deed),
    ),
    test_dice=combat.test_dice,
    sure_faces=combat.sure_faces,
    injured=combat.injured,
    conditions={
        "dead": ConditionRule("death", down=True, actions="none"),
        "fleeing": ConditionRule("fleeing"),
    },
    measure=measure_by_squares,
    next_declaration=combat.next_declaration,
)
