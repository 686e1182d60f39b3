"""Feats of casters and of those who save against them (srd35.feat.saves)."""

from collections.abc import Iterable

from affray.engine.fight.fight import Fight
from affray.engine.record.classes import Feature
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def better_save(name: str, kind: str) -> Feature:
    """Return the feat of that name, which makes saves of one kind better."""

    def save(fight: Fight, who: Combatant, rolled: str, detail: str) -> Iterable[Modifier]:
        if rolled != kind:
            return ()
        return (fight.modifier("feat.saves", "save", kind="untyped", source=name.title()),)

    return Feature(name, save=save)


FEATS = (
    better_save("great fortitude", "fort"),
    better_save("lightning reflexes", "ref"),
    better_save("iron will", "will"),
)
