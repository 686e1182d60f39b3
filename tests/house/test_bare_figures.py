"""No rule reads a level or an ability from the bare sheet that a condition or a loss changes.

Levels are asked for in `rules/classes/levels.py`, abilities in `rules/classes/ability_scores.py`. Functions
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
    "the functions that tell how levels and abilities stand": """
        rules/classes/ability_modifiers:ability rules/classes/ability_scores:ability_now
        rules/classes/ability_scores:points_left rules/classes/ability_scores:score_now
        rules/classes/ability_modifiers:score_of rules/classes/levels:character_level
        rules/classes/levels:class_level rules/magic/spell_resistance:full_caster_level
        dialects/pf1/conditions/ability_loss:score_steps dialects/pf1/conditions/ability_loss:loss_steps
        dialects/srd35/conditions/ability_loss:score_steps dialects/woa/damage/blood_loss:score_steps
    """,
    "the printed ability as a part, and what changes it now as further parts": """
        rules/attacks/attack_roll:printed_attack_bonus rules/classes/ability_scores:strength_to_break
        rules/classes/saves_and_checks:save_bonus rules/classes/saves_and_checks:skill_parts
        rules/damage/weapon_damage:force_of rules/defense/armor_class:armor_class_parts
        rules/environment/drowning:use_up_breath rules/gear/object_creature:burst
        rules/gear/tanglefoot:break_free rules/grapple/grapple_checks:grapple_bonus
        rules/maneuvers/opposed_checks:footing_of rules/movement/run_endurance:keeps_running
        rules/turns/initiative:initiative_parts dialects/futurepath/gear/things:break_by_force
        dialects/futurepath/maneuvers/strength_checks:check_of_attacker
        dialects/futurepath/maneuvers/strength_checks:check_of_target
        dialects/pf1/classes/saves:save_without_constitution
        dialects/pf1/damage/injury:resists_death dialects/pf1/magic/concentration:by_caster_level
        dialects/pf1/maneuvers/combat_maneuver:combat_maneuver_bonus
        dialects/pf1/maneuvers/combat_maneuver:combat_maneuver_defense
        dialects/pf1/maneuvers/combat_maneuver:dexterity_parts dialects/srd35/classes/gm_checks:called_for
        dialects/srd35/classes/turn_undead:turning_check dialects/srd35/maneuvers/opposed_checks:strength_of
        dialects/srd35/maneuvers/sunder:reaches_item dialects/woa/attacks/attack_roll:attack_bonus
        dialects/woa/classes/saves:general_bonus dialects/woa/damage/weapon_damage:damage_bonus
        dialects/woa/defense/armor_class:armor_class_parts
        dialects/woa/grapple/grab_strength_checks:strength_check_parts
    """,
    "no condition of the dialect changes it": """
        dialects/futurepath/defense/defense:helpless_dexterity dialects/futurepath/turns/flow:dexterity_check
        dialects/futurepath/turns/flow:initiative_rank dialects/futurepath/turns/flow:precedence
        dialects/woa/classes/turn_undead:base_dc dialects/woa/damage/distraction:concentration_on_task
        dialects/woa/damage/healing:one_night dialects/woa/magic/concentration:concentration_parts
        dialects/woa/magic/counterspell:counter_by_dispelling
        dialects/woa/movement/speed:monk_speed_bonus dialects/woa/opportunity/expected_blows:group_level
    """,
    "whether a creature has an ability, or its full score": """
        rules/classes/natures:is_mindless rules/classes/rage:rage_modifier
        rules/conditions/ability_points:refuse_start_losses rules/environment/drowning:take_air
        rules/movement/run_endurance:run_while_breath_lasts rules/turns/arriving:harm_brought
        dialects/pf1/classes/rage:rounds_a_day dialects/pf1/conditions/ability_loss:lose_ability_points
        dialects/pf1/conditions/ability_loss:record_change
        dialects/pf1/maneuvers/combat_maneuver:uses_dexterity
        dialects/srd35/conditions/ability_loss:lose_ability_points
        dialects/srd35/conditions/ability_loss:record_ability_change
        dialects/woa/damage/blood_loss:advance_damage_track
        dialects/woa/environment/swim_and_drown:go_to_depth
    """,
    "whether a class or a feat has taught something: drained levels lower the numbers of it alone": """
        rules/classes/feat_prerequisites:demands_unmet rules/classes/feat_prerequisites:grants
        rules/classes/feat_prerequisites:has_feature rules/classes/feat_prerequisites:has_prerequisite_feat
        rules/classes/feat_prerequisites:lowered_scores
        rules/classes/features:features_at rules/classes/rage_scores:rage_figure
        rules/classes/uncanny_dodge:classes_that_grant rules/classes/uncanny_dodge:is_uncanny
        rules/gear/held_weapons:fights_unarmed rules/magic/spell_resistance:tradition
        dialects/pf1/classes/arcane_strike:arcane_level dialects/pf1/classes/channeling:channel_of
        dialects/pf1/classes/daily_pools:daily_pools
        dialects/pf1/classes/fighter:moves_freely
        dialects/pf1/classes/fighter:training dialects/pf1/classes/smite:declare_smite
        rules/classes/learned_abilities:has_learned dialects/pf1/maneuvers/combat_maneuver:armor_parts
        dialects/srd35/classes/daily_pools:daily_pools dialects/srd35/classes/fear_bonuses:is_fearless
        dialects/srd35/classes/monk_levels:monk_level dialects/srd35/classes/paladin:declare_smite
        dialects/srd35/classes/paladin:divine_grace_bonus dialects/srd35/classes/paladin:lay_on_hands
        dialects/srd35/classes/rage:wear_off dialects/srd35/classes/rogue:has_special
        dialects/srd35/damage/damage_reduction:reduce
        dialects/srd35/gear/weapon_tables:with_exotic_proficiency
        dialects/srd35/grapple/grapple_options:damage_in_grapple
        dialects/srd35/magic/components:armor_failure dialects/srd35/movement/speed:class_parts
        dialects/woa/classes/turn_undead:spell_to_boost dialects/woa/classes/turn_undead:turn_undead
        dialects/woa/classes/turning_results:save_against_turning dialects/woa/damage/healing:hit_die
        dialects/woa/grapple/grapple_activities:is_deadly dialects/woa/movement/speed:bonuses
        dialects/woa/turns/initiative:group_of
    """,
    "base attack bonus, base saves and hit points, of which negative levels take their own part": """
        rules/classes/rage:rage_hit_points dialects/pf1/classes/combat_feats:toughness
        dialects/pf1/classes/monk:monk_level dialects/pf1/conditions/ability_loss:hit_point_adjustment
        dialects/srd35/classes/derived_statistics:base_attack dialects/srd35/classes/saves:class_base_save
        dialects/srd35/conditions/ability_loss:hit_point_adjustment dialects/woa/gear/equip:class_base_attack
        dialects/woa/position/size_table:with_constitution
    """,
    "Hit Dice that are counted as such: of undead, of swarms, against death by negative levels": """
        dialects/pf1/classes/turned_undead:command dialects/pf1/conditions/negative_levels:negative_levels
        rules/attacks/swarms:swarm_dice dialects/srd35/classes/turn_undead:bolster
        dialects/srd35/classes/turning_power:hit_dice_to_turn
        dialects/srd35/conditions/energy_drain:negative_levels
    """,
    "the level that is printed as a part, and negative levels as a further part": """
        rules/magic/spell_resistance:special_ability_dc dialects/srd35/classes/intimidate:demoralize
        dialects/srd35/classes/turning_power:turning_level
    """,
    "whether the printed Dexterity is cited, of which the parts tell more": """
        dialects/pf1/attacks/roll_rules:cite_touch dialects/pf1/classes/fighter:cite_training
        dialects/pf1/defense/armor_class:cite_parts dialects/srd35/defense/armor_class:cite_lost_parts
        dialects/woa/defense/defense_citations:rules_of_guard
    """,
    "what is wrong with a sheet": """
        rules/classes/sheet_faults:_fault_of_names rules/classes/sheet_faults:_fault_of_numbers
    """,
}
