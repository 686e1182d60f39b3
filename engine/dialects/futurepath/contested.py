"""Which edition and which reading of a contested rule is in force, and advantages by their size."""

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight
from affray.events.facts.modifier import Modifier

#: What the old rules say where an encounter under them leaves a reading open.
OLD = {
    "round_seconds": "six",
    "total_defense_action": "attack-action",
    "surprise_round": "old",
    "initiative_ties": "modifier",
    "cover_bonus": "graded",
    "climb_swim_speed": "quarter-and-five-feet",
}


def old_only(fight: Fight) -> bool:
    """Say whether the encounter is played by the old rules alone (futurepath.doc.old-rules-marker)."""
    return fight.option("edition") == "old-only"


def reading(fight: Fight, option: str) -> str:
    """Return the reading of a contested rule: the encounter's, else the edition's, else the default."""
    chosen = fight.state.options.get(option)
    if chosen is None and option in OLD and old_only(fight):
        return OLD[option]
    return chosen if chosen is not None else fight.dialect.options[option]


def grade_of(fight: Fight, value: int) -> str:
    """Return the kind of a situational modifier: minor, moderate, major, advantage or penalty.

    futurepath.advantage.levels; a bonus of another size is an advantage without a name.
    """
    if value <= 0:
        return "penalty"
    return grades(fight).get(value, "advantage")


@per_fight()
def grades(fight: Fight) -> dict[int, str]:
    """Return the names of the grades of a situational bonus, by its size."""
    return {size: name for name, size in fight.figure("futurepath.advantage.levels").items()}


def situational(fight: Fight, topic: str, *path: str | int, source: str) -> Modifier:
    """Return a situational modifier of the catalogue, graded by its size."""
    return fight.modifier(topic, *path, kind=grade_of(fight, fight.figure(topic, *path)), source=source)
