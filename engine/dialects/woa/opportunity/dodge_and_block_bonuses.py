"""What feats and skill add to dodging and blocking, and what movement adds to Armor Class.

woa.reaction.dodge.feats-and-skills, woa.reaction.block.feats, woa.aoo.avoid.wind-stance
"""

from affray.engine.dialects.woa.table_cells import cell, table_modifier
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.held_weapons import wields_two
from affray.engine.steps import Steps
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.events.wording import counted
from affray.projections.state import Combatant

STANCE = "wind stance"


def bonus_on_dodge(fight: Fight, combatant: Combatant, level: int) -> list[Modifier]:
    """Return what high ranks in Acrobatics add to a dodge value, and the Dodge feat to that of others.

    `level` is that of the classes which dodge by themselves.
    """
    topic = "woa.reaction.dodge.feats-and-skills"
    found = []
    if not level and has_feat(combatant, "dodge"):
        found += table_modifier(fight, topic, "by=dodge feat", "value", kind="dodge", source="Dodge")
    ranks = combatant.sheet.ranks.get("acrobatics", 0)
    least = cell(fight, topic, "by=acrobatics", "ranks") if ranks else None
    if least is not None and ranks >= least.value:
        source = f"Acrobatics ({counted(ranks, 'rank')})"
        found += table_modifier(fight, topic, "by=acrobatics", "value", kind="dodge", source=source)
    return found


def bonus_on_block(fight: Fight, combatant: Combatant, means: str) -> list[Modifier]:
    """Return what feats add to the value of a block with a shield or a weapon (woa.reaction.block.feats)."""
    if not combatant.sheet.feats:
        return []
    topic = "woa.reaction.block.feats"
    found = []
    for row in fight.figure(topic):
        fits = means == "shield" if row["with"] == "shield" else means != "shield" and wields_two(combatant)
        if fits and has_feat(combatant, row["feat"]):
            place = f"feat={row['feat']}"
            found += table_modifier(fight, topic, place, "value", kind="block", source=row["feat"])
    return found


def take_stance(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Give the Armor Class of Wind Stance to whoever has moved far enough in this round.

    woa.aoo.avoid.wind-stance
    """
    topic = "woa.aoo.avoid.wind-stance"
    if not has_feat(combatant, STANCE) or any(one.id.endswith(STANCE) for one in combatant.effects):
        return
    if combatant.spent.get("feet", 0) < fight.figure(topic, f"feat={STANCE}", "distance_ft"):
        return
    for part in table_modifier(fight, topic, f"feat={STANCE}", "ac", kind="dodge", source="Wind Stance"):
        yield EffectGained(
            who=combatant.id,
            id=f"{fight.declaration}:{STANCE}",
            stat="defense",
            modifier=part,
            until=Until("round-end", "", fight.state.round),
            cites=(part.rule,),
        )
