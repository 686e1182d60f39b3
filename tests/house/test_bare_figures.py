"""No rule reads a level or an ability from the bare sheet that a condition or a loss changes.

Levels are asked for in `rules/classes/abilities.py`, abilities in `rules/classes/abilities.py`. Functions
that read the sheet all the same are listed in `ALLOWED`, each under its reason.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ENGINE = Path(__file__).parents[2] / "engine"
FIGURES = {"classes", "hit_dice", "abilities"}
#: Functions that read a figure of the sheet that is given to them.
READERS = {"ability", "score_of"}


def places() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield each function of the rules and the dialects, by the name that `ALLOWED` has for it."""
    for folder in ("rules", "dialects"):
        for file in sorted((ENGINE / folder).rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for node in tree.body:
                if isinstance(node, ast.FunctionDef):
                    yield f"{file.relative_to(ENGINE).with_suffix('')}:{node.name}", node


def is_sheet(node: ast.expr) -> bool:
    """Say whether an expression is a sheet, by its name."""
    if isinstance(node, ast.Attribute):
        return node.attr == "sheet"
    return isinstance(node, ast.Name) and node.id == "sheet"


def reads_bare_figure(node: ast.FunctionDef) -> bool:
    """Say whether a function reads a level or an ability from a sheet."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and part.attr in FIGURES and is_sheet(part.value):
            return True
        called = isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in READERS
        if called and part.args and is_sheet(part.args[0]):
            return True
    return False


def test_rules_read_levels_and_abilities_as_they_stand_now() -> None:
    """Every function that reads a level or an ability from the sheet is allowed to, for a reason."""
    allowed = {name for names in ALLOWED.values() for name in names.split()}
    found = {name for name, node in places() if reads_bare_figure(node)}
    assert found - allowed == set()
    assert allowed - found == set(), "these read no bare figure any more"


ALLOWED = {
    "fifth edition: levels, which nothing lowers, and scores as they are printed": """
        dialects/srd52/blocks:facts_of dialects/srd52/class_features:cantrips_of
        dialects/srd52/class_features:has_level dialects/srd52/class_features:is_protector
        dialects/srd52/class_features:is_trained dialects/srd52/class_features:most_hit_points
        dialects/srd52/class_features:refuse_masteries dialects/srd52/class_features:remarks
        dialects/srd52/class_features:rules_on_sheet dialects/srd52/class_features:with_training
        dialects/srd52/classes:attacks_of dialects/srd52/classes:casting_classes
        dialects/srd52/classes:level_of dialects/srd52/classes:of_class
        dialects/srd52/classes:slots_of
        dialects/srd52/class_features:raises_scores dialects/srd52/classes:refuse_scores
        dialects/srd52/feats:takes_ability dialects/srd52/feats:takes_improvement
        dialects/srd52/feats:takes_level dialects/srd52/features:features_of_sheet
        dialects/srd52/magic:read_scroll dialects/srd52/classes:score_now
        dialects/srd52/damage:refuse_losses dialects/srd52/damage:restore_score
        dialects/srd52/features:has_by_level
        dialects/srd52/rests:dice_left dialects/srd52/test:missing
        dialects/srd52/test:save
    """,
    "the remarks on a sheet as it is printed": """
        rules/classes/remarks:missing_immunities rules/classes/remarks:misspelt
    """,
    "the functions that tell how levels and abilities stand": """
        rules/classes/sheets:ability rules/classes/abilities:ability_now
        rules/classes/abilities:get_points_left rules/classes/abilities:score_now
        rules/classes/abilities:character_level
        rules/classes/abilities:class_level rules/magic/spell_effects:full_caster_level
        dialects/pf1/conditions/afflictions:score_steps dialects/pf1/conditions/afflictions:loss_steps
        dialects/srd35/conditions/ability_loss:score_steps dialects/woa/damage/injury:score_steps
    """,
    "the printed ability as a part, and what changes it now as further parts": """
        rules/attacks/attack_roll:printed_attack_bonus rules/classes/abilities:strength_to_break
        rules/classes/checks:save_bonus rules/classes/checks:skill_parts
        rules/damage/damage:force_of rules/defense:armor_class_parts
        rules/environment:use_up_breath rules/gear/objects:burst
        rules/gear/splash_weapons:break_free rules/grapple:grapple_bonus
        rules/maneuvers/opposed_checks:footing_of rules/movement/skills:keeps_running
        rules/turns/initiative:initiative_parts dialects/futurepath/gear/objects:break_by_force
        dialects/futurepath/maneuvers:check_of_attacker
        dialects/futurepath/maneuvers:check_of_target
        dialects/pf1/classes/abilities:save_without_constitution
        dialects/pf1/damage:resists_death dialects/pf1/magic:by_caster_level
        dialects/pf1/maneuvers/maneuver_check:combat_maneuver_bonus
        dialects/pf1/maneuvers/maneuver_check:combat_maneuver_defense
        dialects/pf1/maneuvers/maneuver_check:dexterity_parts dialects/srd35/classes/checks:called_for
        dialects/srd35/classes/turning:turning_check dialects/srd35/maneuvers/bull_rush_and_trip:strength_of
        dialects/srd35/maneuvers/disarm_and_sunder:reaches_item dialects/woa/attacks/attack_roll:attack_bonus
        dialects/woa/classes/abilities:general_bonus dialects/woa/damage/damage:damage_bonus
        dialects/woa/defense/defense:armor_class_parts
        dialects/woa/grapple/grab_modifiers:strength_check_parts
    """,
    "no condition of the dialect changes it": """
        dialects/futurepath/defense:helpless_dexterity dialects/futurepath/turns/flow:dexterity_check
        dialects/futurepath/turns/flow:initiative_rank dialects/futurepath/turns/flow:precedence
        dialects/woa/classes/turning:base_dc dialects/woa/damage/damage:concentration_on_task
        dialects/woa/damage/healing:one_night dialects/woa/magic/concentration:concentration_parts
        dialects/woa/magic/concentration:counter_by_dispelling
        dialects/woa/movement/speed:monk_speed_bonus dialects/woa/opportunity/reactions:group_level
    """,
    "whether a creature has an ability, or its full score": """
        rules/classes/sheets:is_mindless rules/classes/feats:rage_modifier
        rules/conditions/fear:refuse_start_losses rules/environment:needs_air
        rules/movement/skills:run_while_breath_lasts
        dialects/pf1/classes/abilities:rounds_a_day dialects/pf1/conditions/afflictions:lose_ability_points
        dialects/pf1/conditions/afflictions:record_change
        dialects/pf1/maneuvers/maneuver_check:uses_dexterity
        dialects/srd35/conditions/ability_loss:lose_ability_points
        dialects/srd35/conditions/ability_loss:record_ability_change
        dialects/woa/damage/injury:advance_damage_track
        dialects/woa/environment/environment:go_to_depth
    """,
    "whether a class or a feat has taught something: drained levels lower the numbers of it alone": """
        rules/classes/checks:yield_unmet_prerequisites rules/classes/checks:grants
        rules/classes/checks:has_feature rules/classes/checks:has_prerequisite_feat
        rules/classes/checks:find_lowered_scores
        rules/classes/abilities:features_at rules/classes/feats:rage_figure
        rules/classes/feats:find_granting_classes rules/classes/feats:is_uncanny
        rules/gear/hands:fights_unarmed rules/magic/spell_effects:tradition
        dialects/pf1/classes/abilities:arcane_level dialects/pf1/classes/abilities:channel_of
        dialects/pf1/classes/abilities:daily_pools
        dialects/pf1/classes/abilities:moves_freely
        dialects/pf1/classes/abilities:training dialects/pf1/classes/abilities:declare_smite
        rules/classes/feats:has_learned dialects/pf1/maneuvers/maneuver_check:armor_parts
        dialects/srd35/classes/abilities:daily_pools dialects/srd35/classes/abilities:is_fearless
        dialects/srd35/classes/abilities:monk_level dialects/srd35/classes/abilities:declare_smite
        dialects/srd35/classes/abilities:divine_grace_bonus dialects/srd35/classes/abilities:lay_on_hands
        dialects/srd35/classes/abilities:wear_off dialects/srd35/classes/abilities:has_special
        dialects/srd35/damage/reduction_and_rest:reduce
        dialects/srd35/gear:with_exotic_proficiency
        dialects/srd35/grapple/grapple:damage_in_grapple
        dialects/srd35/magic:armor_failure dialects/srd35/movement/speed:class_parts
        dialects/woa/classes/turning:spell_to_boost dialects/woa/classes/turning:turn_undead
        dialects/woa/classes/turning:save_against_turning dialects/woa/damage/healing:hit_die
        dialects/woa/grapple/grapple_round:is_deadly dialects/woa/movement/speed:bonuses
        dialects/woa/turns/cycle:group_of
    """,
    "base attack bonus, base saves and hit points, of which negative levels take their own part": """
        rules/classes/feats:change_rage_hit_points dialects/pf1/classes/abilities:toughness
        dialects/pf1/classes/abilities:monk_level dialects/pf1/conditions/afflictions:hit_point_adjustment
        dialects/srd35/classes/abilities:base_attack dialects/srd35/classes/abilities:class_base_save
        dialects/srd35/conditions/ability_loss:hit_point_adjustment
        dialects/woa/gear/draw_and_sheathe:class_base_attack
        dialects/woa/position/size:with_constitution
    """,
    "Hit Dice that are counted as such: of undead, of swarms, against death by negative levels": """
        dialects/pf1/classes/channel_energy:command dialects/pf1/conditions/afflictions:negative_levels
        rules/attacks/natural_weapons:swarm_dice dialects/srd35/classes/turning:bolster
        dialects/srd35/classes/turning:hit_dice_to_turn
        dialects/srd35/conditions/ability_loss:negative_levels
    """,
    "the level that is printed as a part, and negative levels as a further part": """
        rules/magic/spell_effects:special_ability_dc dialects/srd35/classes/checks:demoralize
        dialects/srd35/classes/turning:turning_level
    """,
    "whether the printed Dexterity is cited, of which the parts tell more": """
        dialects/pf1/attacks/attack_roll:cite_touch dialects/pf1/classes/abilities:cite_training
        dialects/pf1/defense:cite_parts dialects/srd35/defense:cite_lost_parts
        dialects/woa/defense/struck_cover:rules_of_guard
    """,
}
