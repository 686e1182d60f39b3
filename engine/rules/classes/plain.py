"""The plain values of the chapter on classes: complete, for a dialect to start from."""

from affray.engine.fight.fight import Fight
from affray.engine.modifiers import KINDS
from affray.engine.record.chapter import rolls
from affray.engine.record.classes import Classes
from affray.engine.record.listed import listed
from affray.engine.record.sheet_names import SheetNames
from affray.engine.record.silent import never, no_parts, no_topic
from affray.engine.rules.classes import saves_and_checks
from affray.engine.rules.classes.derived_statistics import as_printed
from affray.engine.rules.classes.pools import pools_of_sheet
from affray.engine.rules.classes.saves_and_checks import half_on_save
from affray.engine.rules.conditions.immunities import is_spared_precision
from affray.engine.steps import Steps
from affray.projections.state import Combatant


def always_rolled(fight: Fight, combatant: Combatant, number: int, what: str) -> Steps[int]:
    """Return that every check is rolled: for dialects in which nobody takes 10 or 20."""
    return 0
    yield


PLAIN_CLASSES = Classes(
    rolls=rolls("1d20: save-fort, save-ref, save-will"),
    acts={},
    save_bonus=saves_and_checks.save_bonus,
    after_save=half_on_save,
    saves_never=no_topic,
    save_against_condition=no_parts,
    take_10_20=always_rolled,
    gm_check=never,
    bonus_kinds=KINDS,
    sheet_names=SheetNames(),
    attack_features=listed(),
    defense_features=listed(),
    moving_features=listed(),
    damage_features=listed(),
    dice_features=listed(),
    save_features=listed(),
    check_features=listed(),
    initiative_features=listed(),
    spared_precision=is_spared_precision,
    shrug_features=listed(),
    pools=pools_of_sheet,
    check_penalty=no_parts,
    derived_statistics=as_printed,
)
