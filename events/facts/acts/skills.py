"""Skills, feats and special abilities, help and words."""

from typing import Literal

from affray.events.facts.base import Act, Name, Number, Path, Words


class UseFeat(Act, frozen=True, gc=False, tag="use-feat"):
    """Bring a feat to bear that is no action: for Dodge, on which `target`."""

    feat: Name = ""
    target: Name = ""


class UseAbility(Act, frozen=True, gc=False, tag="use-ability"):
    """Use a special `ability` of the sheet ("rage", "smite evil", "lay on hands"), perhaps on `target`.

    `amount` is how much of it where that can be chosen; 0 as much as serves.
    """

    ability: Name = ""
    target: Name = ""
    amount: Number = 0


class UseSkill(Act, frozen=True, gc=False, tag="use-skill"):
    """Use a `skill`, perhaps on `target`, against a `dc`."""

    skill: Name = ""
    target: Name = ""
    dc: Number = 0


class Aid(Act, frozen=True, gc=False, tag="aid"):
    """Help `friend` against `opponent`: with the next attack or with the defense.

    Or, without an opponent, with its next check of a skill ("check") or against a condition that holds
    it ("condition"); `what` names the skill or the condition.
    """

    friend: Name = ""
    opponent: Name = ""
    benefit: Literal["attack", "defense", "check", "condition"] = "attack"
    what: Name = ""


class Hide(Act, frozen=True, gc=False, tag="hide"):
    """Hide from every opponent, perhaps at the end of a move along `path`.

    `how`: "snipe" hides again after a shot, "distraction" while attention is elsewhere, "attacking" even so.
    """

    path: Path = ()
    how: Literal["", "snipe", "distraction", "attacking"] = ""


class Seek(Act, frozen=True, gc=False, tag="seek"):
    """Try to notice `target` by a `sense`, or grope `at` two squares for whoever is there.

    `through` says what stands between, `wind` whether the target is upwind or downwind; a `reactive` try
    takes no action.
    """

    target: Name = ""
    sense: Literal["spot", "listen", "scent", "grope"] = "spot"
    at: Path = ()
    through: Literal["", "door", "stone wall"] = ""
    wind: Literal["", "upwind", "downwind"] = ""
    reactive: bool = False


class Speak(Act, frozen=True, gc=False, tag="speak"):
    """Say something."""

    words: Words = ""
