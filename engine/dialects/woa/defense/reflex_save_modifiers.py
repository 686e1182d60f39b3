"""Reflex saves and the place: cover, sight of the source, posture, crowding (woa.cover.reflex-save, ...)."""

from affray.engine.dialects.woa.defense import cover
from affray.engine.dialects.woa.position import crowding, prone
from affray.engine.dialects.woa.senses.concealment import concealment_penalties
from affray.engine.fight.extent import Standing
from affray.engine.fight.fight import Fight
from affray.engine.rules.position.place import distance
from affray.engine.steps import Choice, Steps
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

HELPS, HURTS, NEITHER = "helps", "hurts", "does not matter"
PRONE, CROUCH, TABLE = (
    "woa.posture.prone.reflex",
    "woa.posture.crouching.modifiers",
    "woa.posture.modifier-table",
)


def place_on_reflex_save(
    fight: Fight, combatant: Combatant, source: Combatant | None, origin: Standing | None, what: str
) -> Steps[tuple[tuple[Modifier, ...], tuple[str, ...]]]:
    """Return what the place does to a Reflex save against `what`, and the rules that had a part in it.

    `source` is whose doing it is, `origin` where an area effect spreads from (None: no area).
    """
    parts: list[Modifier] = []
    cites: list[str] = []
    if origin is not None:
        given, rules = cover.cover_from_spread(fight, combatant, origin, source)
        parts, cites = [*parts, *given], [*cites, *rules]
    if source is not None and source is not combatant:
        topic = "woa.concealment.reflex-penalty"
        parts += concealment_penalties(fight, combatant, source, False, "ac", topic, cites)
    near = source is None or distance(combatant, source) <= source.reach
    if near:
        parts += crowding.sharing_penalty(fight, combatant, "reflex")
    posture = yield from low_profile(fight, combatant, origin is not None, what)
    found = cover.better_of_cover_and_posture(fight, [*parts, *posture])
    if found != [*parts, *posture]:
        cites.append(fight.rule("woa.cover.overlap-posture"))
    return tuple(found), tuple(dict.fromkeys(cites))


def low_profile(fight: Fight, combatant: Combatant, area: bool, what: str) -> Steps[list[Modifier]]:
    """Return what a low posture does against a hazard: it helps against blasts and hurts against trampling.

    The game master says which it is, but of what spreads through an area (woa.posture.prone.reflex,
    woa.posture.crouching.modifiers, woa.posture.kneeling-sitting).
    """
    if not (prone.lies(combatant) or prone.keeps_low(combatant)):
        return []
    answer = HELPS
    if not area:
        question = f"does it help or hurt {combatant.id} to be so low against {what}?"
        answer = yield Choice("", "low", question, (HELPS, HURTS, NEITHER), fight.rule(PRONE))
    return [] if answer == NEITHER else low_posture(fight, combatant, answer == HELPS)


def low_posture(fight: Fight, combatant: Combatant, helps: bool) -> list[Modifier]:
    """Return what a low posture adds to a Reflex save that it helps or, as under trampling feet, hurts.

    woa.posture.prone.reflex, woa.posture.crouching.modifiers, woa.posture.kneeling-sitting
    """
    source = "low" if helps else "cannot get out of the way"
    if prone.lies(combatant):
        return [fight.modifier(PRONE, "low_profile" if helps else "trampled", kind="posture", source=source)]
    name = next((one for one in prone.LOW if one in combatant.conditions), "")
    if not name:
        return []
    if name == "crouching":
        path = "low_profile_reflex" if helps else "trampled_reflex"
        return [fight.modifier(CROUCH, path, kind="posture", source=source)]
    row = "sitting on chair" if name == "seated" else "kneeling or sitting on ground"
    part = fight.modifier(TABLE, "rows", f"posture={row}", "reflex", kind="posture", source=source)
    return [part if helps else Modifier(-part.value, part.kind, part.source, part.rule)]
