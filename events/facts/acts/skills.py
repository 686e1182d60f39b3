"""Skills, feats and special abilities, help and words."""

from typing import Literal

from affray.events.facts.base import Act, Name, Number, Path, Words


class UseFeat(Act, frozen=True, gc=False, tag="use-feat"):
    """Bring a feat to bear that is no action of its own."""

    feat: Name = ""
    target: Name = ""


class UseAbility(Act, frozen=True, gc=False, tag="use-ability"):
    """Use a special ability of the sheet.

    ability: its name ("rage", "smite evil", "lay on hands").
    amount: how much of it, where that can be chosen; 0 for as much as serves.
    """

    ability: Name = ""
    target: Name = ""
    amount: Number = 0


class UseSkill(Act, frozen=True, gc=False, tag="use-skill"):
    """Use a skill.

    skill: the skill.
    dc: the DC of the check.
    """

    skill: Name = ""
    target: Name = ""
    dc: Number = 0


class Aid(Act, frozen=True, gc=False, tag="aid"):
    """Help a friend.

    friend: whom.
    opponent: against whom.
    benefit: what is helped: its next attack, its defense, its next check, or to get rid of a condition.
    what: the skill or the condition.
    weapon: the weapon that the opponent is distracted with; empty for the first one in hand that reaches it.
    """

    friend: Name = ""
    opponent: Name = ""
    benefit: Literal["attack", "defense", "check", "condition"] = "attack"
    what: Name = ""
    weapon: Name = ""


class Hide(Act, frozen=True, gc=False, tag="hide"):
    """Hide from every opponent.

    path: the squares entered before.
    how: hide again after a shot, while attention is elsewhere, or while attacking even so.
    """

    path: Path = ()
    how: Literal["", "snipe", "distraction", "attacking"] = ""


class Seek(Act, frozen=True, gc=False, tag="seek"):
    """Try to notice somebody.

    sense: by what.
    at: two squares to grope in.
    through: what stands between.
    wind: whether the target is upwind or downwind.
    reactive: without an action.
    """

    target: Name = ""
    sense: Literal["spot", "listen", "scent", "grope"] = "spot"
    at: Path = ()
    through: Literal["", "door", "stone wall"] = ""
    wind: Literal["", "upwind", "downwind"] = ""
    reactive: bool = False


class Speak(Act, frozen=True, gc=False, tag="speak"):
    """Say something.

    words: what is said.
    gesture: it is told by a gesture, without a word.
    """

    words: Words = ""
    gesture: bool = False
