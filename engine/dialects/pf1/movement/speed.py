"""Where speed comes from: a race's base, its armor, and Fleet (pf1.speed.*, pf1.feat.run-fleet)."""

from typing import Any, Final

from affray.engine.dialects.pf1.classes import fighter
from affray.engine.fight.fight import Fight, condition_changes
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.conditions.condition_rules import effect_parts
from affray.engine.rules.movement.balance import onto_firm_ground
from affray.engine.rules.movement.pace import Pace, with_speed_told
from affray.engine.rules.movement.run_endurance import refuse_winded
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.wording import counted
from affray.projections.state import Combatant

TABLE: Final = "pf1.speed.table-by-race"
DEFINITION: Final = "pf1.speed.definition"
FEAT: Final = "pf1.feat.run-fleet"
HAMPERING: Final = ("medium", "heavy")
DWARF: Final = "pf1.speed.dwarf"
#: The rules on each row of the table, as the rows stand there.
ROWS: Final = ("pf1.speed.gnome-halfling", DWARF, "pf1.speed.thirty-foot-races")


def land_speed(fight: Fight, mover: Combatant) -> int:
    """Return the speed on land in feet with what passing effects add, before what conditions do to it."""
    return pace(fight, mover).feet + sum(part.value for part in effect_parts(mover, "speed", ""))


def pace(fight: Fight, mover: Combatant) -> Pace:
    """Return the speed on land with what it is made of; nothing is told of one that is as printed.

    A race of the table has its base, less in medium and heavy armor but for a dwarf; Fleet adds to it in
    light armor or none. A printed speed holds all of that already.
    """
    sheet = mover.sheet
    found = race_row(fight, mover)
    if found is None:
        return Pace(sheet.speed)
    row, topic = found
    told = f"{sheet.race} {row['light_or_none_ft']} ft."
    feet, squares = int(fight.figure(topic, "speed_ft")), row["light_or_none_sq"]
    cites = fight.rules(DEFINITION, TABLE, topic)
    if fighter.moves_freely(fight, sheet):
        told += f" in {sheet.armor_weight} armor by training"
        cites += fight.rules(fighter.TOPIC)
    elif sheet.armor_weight in HAMPERING:
        told += f", {row['medium_heavy_ft']} ft. in {sheet.armor_weight} armor"
        feet, squares = feet_in_armor(fight, topic), row["medium_heavy_sq"]
    told = f"speed {feet} ft. ({counted(squares, 'square')}): {told}"
    if has_feat(mover, "fleet") and sheet.armor_weight not in HAMPERING:
        more = int(fight.figure(FEAT, "fleet"))
        feet += more
        told += f", {more:+d} ft. by Fleet"
        cites += (fight.rule(FEAT),)
    return Pace(feet, told, cites)


def feet_in_armor(fight: Fight, topic: str) -> int:
    """Return the speed of a race in medium or heavy armor; a dwarf's is the same (pf1.speed.dwarf)."""
    return int(fight.figure(topic, "speed_ft" if topic == DWARF else "medium_heavy_ft"))


def is_slowed_by_armor(fight: Fight, mover: Combatant) -> bool:
    """Say whether armor takes speed from its wearer: medium and heavy armor does, but from no dwarf."""
    if mover.sheet.armor_weight not in HAMPERING:
        return False
    found = race_row(fight, mover)
    return found is None or found[1] != DWARF


def race_row(fight: Fight, mover: Combatant) -> tuple[dict[str, Any], str] | None:
    """Return the row of a combatant's race in the table of speeds and its rule's topic; None for none."""
    if not mover.sheet.race:
        return None
    rows: list[dict[str, Any]] = fight.figure(TABLE)
    return next(
        ((row, topic) for row, topic in zip(rows, ROWS, strict=True) if mover.sheet.race in row["races"]),
        None,
    )


def speed_told(fight: Fight, mover: Combatant) -> RuleApplied | None:
    """Return where a combatant's speed comes from, None if it is as printed."""
    found = pace(fight, mover)
    slower = [
        (name, fight.rule(change.topic))
        for name, change, denied in condition_changes(fight, mover, "speed")
        if not denied
    ]
    told = "; ".join(filter(None, (found.told, *(f"slower: {name}" for name, _ in slower))))
    cites = tuple(dict.fromkeys((*found.cites, *(rule for _, rule in slower))))
    return RuleApplied(who=mover.id, what=told, cites=cites) if told else None


def tell_move(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move on foot; tell whence the speed comes, and what a second move action is.

    Whoever has balanced stands firmly again.

    pf1.speed.definition, pf1.speed.double-move.
    """
    mover = fight.state.combatants[act.actor]
    topics = []
    if mover.spent.get("move"):
        topics.append("speed.double-move")
    elif mover.spent.get("standard"):
        topics.append(DEFINITION)
    yield from with_speed_told(fight, act.actor, moving, *fight.rules(*topics))
    if mover.conditions:
        yield from onto_firm_ground(fight, mover)


def tell_withdrawal(fight: Fight, act: acts.Withdraw, moving: Steps[None]) -> Steps[None]:
    """Withdraw; tell whence the speed comes."""
    return with_speed_told(fight, act.actor, moving)


def tell_charge(fight: Fight, act: acts.Charge, moving: Steps[None]) -> Steps[None]:
    """Charge; tell whence the speed comes, in the saddle that of the mount."""
    return with_speed_told(fight, fight.combatant(act.actor).mount or act.actor, moving)


def tell_run(fight: Fight, act: acts.Run, moving: Steps[None]) -> Steps[None]:
    """Run; tell whence the speed comes, and by which rule it is multiplied.

    pf1.speed.run, pf1.feat.run-fleet.
    """
    feat = has_feat(fight.state.combatants[act.actor], "run")
    return with_speed_told(fight, act.actor, moving, fight.rule(FEAT if feat else "pf1.speed.run"))


def run_by_feat(fight: Fight, mover: Combatant) -> int:
    """Return how many times its speed a combatant with the Run feat runs, 0 without it."""
    if not has_feat(mover, "run"):
        return 0
    return int(fight.figure(FEAT, "heavy" if mover.sheet.armor_weight == "heavy" else "multiple"))


def refuse_hurry(fight: Fight, mover: Combatant, act: acts.Move | acts.Withdraw) -> None:
    """Refuse to those who rest from running more than one move at their speed in a round (pf1.run)."""
    refuse_winded(fight, mover, not isinstance(act, acts.Move) or act.how == "double")
