"""What an act is called in a plan and what type of action it then is, where its tag does not say so.

A potion is drunk or given, a scroll read; a weapon drawn from a scabbard or from a pack; a charge is used as
part of the casting or on its own.
"""

import re
from collections.abc import Callable
from typing import Any

from affray.engine.dialects.woa.gear import draw_and_sheathe
from affray.engine.dialects.woa.turns.plan_words import ON_THE_FLY, TYPES, Meant
from affray.engine.fight.fight import Fight
from affray.engine.rules.magic.known_spells import named_spell
from affray.engine.rules.magic.long_castings import CONCENTRATING
from affray.events.facts import acts
from affray.projections.state import Combatant


def intent_of_cast(fight: Fight, actor: Combatant, act: acts.Cast) -> Meant:
    """A spell's own casting time decides. A special ability may be declared as a use of one."""
    spell = named_spell(actor, act.spell)
    kind = spell.casting if spell is not None else "standard"
    used = spell is not None and spell.ability and any(what == "use-ability" for _, what, _ in actor.plan)
    return "use-ability" if used else "cast", ("full-round" if kind == "one-round" else kind,)


def intent_of_touch(fight: Fight, actor: Combatant, act: acts.Touch) -> Meant:
    """A touch in the round of casting is part of it."""
    if actor.spent.get("charge"):
        return "touch", ON_THE_FLY
    return "touch", ("full-round" if len(act.targets) > 1 else "standard",)


def intent_of_dismissal(fight: Fight, actor: Combatant, act: acts.Dismiss) -> Meant:
    """To cease concentrating is free."""
    kept = actor.conditions.get(CONCENTRATING)
    return "dismiss", ON_THE_FLY if kept is not None and kept.source == act.spell else TYPES["dismiss"]


def intent_of_device(fight: Fight, actor: Combatant, act: acts.Activate) -> Meant:
    """Each kind of device is used in its own way."""
    item = named_spell(actor, act.item)
    if item is None:
        return "activate", TYPES["activate"]
    if item.item == "potion":
        name = "drink" if not act.targets or act.targets == (actor.id,) else "administer"
        return name, TYPES[name]
    if item.item == "scroll":
        return "read", TYPES["read"]
    return "activate", ("full-round" if item.casting == "one-round" else item.casting,)


def intent_of_drawing(fight: Fight, actor: Combatant, act: acts.Draw) -> Meant:
    """Where a weapon is kept says how it is drawn."""
    name, kind, _ = draw_and_sheathe.way_of_drawing(fight, actor, act.item)
    if name == "draw-hidden":
        return name, TYPES[name]
    return name, ON_THE_FLY if kind in ("free", "merged") else (kind,)


def intent_of_handling(fight: Fight, actor: Combatant, act: acts.Handle) -> Meant:
    """What takes the eyes off the fight is named apart from what does not."""
    if act.what.endswith("-shield"):
        return "shield", ON_THE_FLY if draw_and_sheathe.shield_is_free(fight, actor, act) else TYPES["shield"]
    if act.what == "grab":
        return "grab-item", TYPES["grab-item"]
    if act.what == "retrieve":
        long = draw_and_sheathe.way_of_taking(fight, actor, act)[0] == "full-round"
    else:
        long = act.what in draw_and_sheathe.LONG
    name = "handle-long" if long else "handle"
    return name, TYPES[name]


def intent_of_use(fight: Fight, actor: Combatant, act: Any) -> Meant:
    """A use is of the type under which it was declared; one that was not is done on the fly."""
    name = str(act.__struct_config__.tag)
    done = actor.spent.get("planned", 0)
    declared = any(
        what == name and kind in TYPES[name] and not done >> at & 1
        for at, (kind, what, _) in enumerate(actor.plan)
    )
    return name, TYPES[name] if declared else ON_THE_FLY


def intent_of_one_type(fight: Fight, actor: Combatant, act: Any) -> Meant:
    """Acts of one type only."""
    name = str(act.__struct_config__.tag)
    return name, TYPES[name]


def intent_of_drop(fight: Fight, actor: Combatant, act: acts.Drop) -> Meant:
    """To drop something is free, to hurl it is not."""
    return ("hurl", TYPES["hurl"]) if draw_and_sheathe.is_hurled(actor, act) else ("drop", ON_THE_FLY)


def intent_on_the_fly(fight: Fight, actor: Combatant, act: Any) -> Meant:
    """What is always free is not declared."""
    return str(act.__struct_config__.tag), ON_THE_FLY


MEANT: dict[type[acts.Act], Callable[[Fight, Combatant, Any], Meant]] = {
    acts.Cast: intent_of_cast,
    acts.Touch: intent_of_touch,
    acts.Maintain: intent_of_one_type,
    acts.Dismiss: intent_of_dismissal,
    acts.Redirect: intent_of_one_type,
    acts.TurnUndead: intent_of_one_type,
    acts.Activate: intent_of_device,
    acts.Draw: intent_of_drawing,
    acts.Drop: intent_of_drop,
    acts.Grip: intent_on_the_fly,
    acts.Handle: intent_of_handling,
    acts.UseFeat: intent_of_use,
    acts.UseSkill: intent_of_use,
    acts.UseAbility: intent_of_use,
}

_SENTENCE = re.compile(r"\w[^.!?]*")


def is_long(fight: Fight, act: acts.Speak) -> bool:
    """Say whether words are more than a sentence or two (woa.speak.long)."""
    most: int = fight.figure("woa.speak.long", "sentences")
    return len(_SENTENCE.findall(act.words)) > most
