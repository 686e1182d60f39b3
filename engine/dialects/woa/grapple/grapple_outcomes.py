"""A round's check in a grapple: who rolls against whom, and what the margins mean (woa.grapple.outcome.*)."""

from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter

from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.dialects.woa.grapple.grapple_check import Wrestler
from affray.engine.dialects.woa.grapple.grapple_state import AHEAD, IMMOBILE
from affray.engine.fight.fight import Fight
from affray.engine.modifiers import Tally
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ContestResolved
from affray.events.facts.flow import RuleApplied

PAIR = 2
_TOTAL = attrgetter("total")


class Facing(Struct, frozen=True, gc=False):
    """What a check is up against, of whichever opponent is the best: its modifiers and what others `aid`.

    `cites` are the rules that count however it comes out, `ahead` those of an advantage in it, `told` all of
    them by the topic of an outcome that there has been.
    """

    tally: Tally
    aid: int
    cites: tuple[str, ...]
    ahead: tuple[str, ...]
    told: dict[str, tuple[str, ...]] = field(default_factory=dict)


class Bout(Struct):
    """All who make a round's check, by their ids, and whom each of them has against it.

    `facing` remembers what each is up against, by who the best of its opponents is.
    """

    fight: Fight
    wrestlers: Mapping[str, Wrestler]
    against: Mapping[str, Sequence[str]]
    facing: dict[tuple[str, str], Facing] = {}

    def best(self, of: str) -> Wrestler:
        """Return the opponent with the highest result."""
        return max([self.wrestlers[other] for other in self.against[of]], key=_TOTAL)

    def opposition(self, of: str, best: Wrestler) -> Facing:
        """Return what a check is up against, if that is the best of its opponents.

        woa.grapple.multiple.check
        """
        found = self.facing.get((of, best.who.id))
        if found is None:
            fight, mine = self.fight, self.wrestlers[of]
            topic, figure = "woa.grapple.multiple.check", "aid_bonus_each"
            aids = [
                fight.modifier(topic, figure, kind="aid", source=f"aid from {other}")
                for other in self.against[of]
                if other != best.who.id
            ]
            found = self.facing[of, best.who.id] = Facing(
                fight.dialect.attacks.stack(fight, [*best.tally.parts, *aids]),
                sum(part.value for part in aids),
                (*mine.cites, *best.cites, *(part.rule for part in aids)),
                tuple(
                    part.rule for part in (*mine.tally.parts, *best.tally.parts) if part.kind == "advantage"
                ),
            )
        return found

    def margin(self, of: str, best: Wrestler | None = None) -> int:
        """Return by how much a check beats all its opposition, below 0 what it falls short by."""
        mine, best = self.wrestlers[of], best or self.best(of)
        exceeds = mine.total - best.total - self.opposition(of, best).aid
        if self.fight.option("pinned_maneuvers") == "all":
            sure: int = self.fight.figure("woa.grapple.outcome.win-by-5", "margin")
            if all(IMMOBILE in self.wrestlers[other].who.conditions for other in self.against[of]):
                return max(exceeds, sure)
            if IMMOBILE in mine.who.conditions:
                return min(exceeds, -sure)
        return exceeds

    def lead(self, of: str) -> int:
        """Return by how much a check is ahead for the advantage: among several its own result counts alone.

        woa.grapple.multiple.advantage
        """
        if len(self.against[of]) == 1:
            return self.margin(of)
        return self.wrestlers[of].total - self.best(of).total

    def told(self) -> list[str]:
        """Return whose checks are told of: of two, who is at an advantage, for the other's is the same."""
        order = sorted(self.wrestlers, key=lambda one: AHEAD not in self.wrestlers[one].who.conditions)
        return order if len(order) > PAIR else order[:1]

    def contest(self, of: str) -> ContestResolved:
        """Return the fact of a check against its opposition."""
        mine, best = self.wrestlers[of], self.best(of)
        beaten = self.margin(of, best)
        facing = self.opposition(of, best)
        outcome = outcome_of(self.fight, beaten)
        cites = facing.told.get(outcome)
        if cites is None:
            rules = self.fight.rules("woa.grapple.outcome.rule", outcome)
            cites = facing.told[outcome] = tuple(dict.fromkeys((*facing.cites, *rules, *facing.ahead)))
        return ContestResolved(
            who=of,
            against=best.who.id,
            contest="grapple",
            total=mine.total,
            opposed=best.natural + facing.tally.total,
            won=beaten > 0,
            parts=mine.tally.parts,
            opposed_parts=facing.tally.parts,
            cites=cites,
        )


def roll_grapple_checks(bout: Bout) -> Steps[None]:
    """Let all roll who are not as good as a 20 already, and tell what comes of it.

    woa.grapple.check, woa.grapple.multiple.check
    """
    fight = bout.fight
    waiting = [one for one in bout.wrestlers.values() if not one.natural]
    rolled: list[str] = []

    def judge(of: str, _key: str, *faces: int) -> ContestResolved:
        fallen = {one.who.id: replace(one, natural=face) for one, face in zip(waiting, faces, strict=True)}
        return replace(bout, wrestlers={**bout.wrestlers, **fallen}).contest(of)

    for one in bout.wrestlers.values():
        if one.natural:
            other = bout.against[one.who.id][0]
            why = f"{other} is held immobile: as good as a {one.natural} (pinned_maneuvers: all)"
            yield RuleApplied(who=one.who.id, what=why, cites=fight.rules("woa.maneuver.helpless-auto"))
            continue
        # Nothing comes of a roll before the last.
        judges = {of: partial(judge, of) for of in bout.told()} if one is waiting[-1] else None
        thrown = yield Roll(one.who.id, "grapple", "1d20", judges, tuple(rolled))
        one.natural = thrown.faces[0]
        rolled.append(thrown.key)
    for of in bout.told():
        yield bout.contest(of)


def outcome_row(fight: Fight, beaten: int) -> dict[str, str]:
    """Return the row of the outcome table for a margin (woa.grapple.outcome-table)."""
    clear = fight.figure("woa.grapple.outcome.win-by-5", "margin")
    name = "tie" if not beaten else "a clear win" if abs(beaten) >= clear else "a narrow win"
    found: dict[str, str] = fight.figure("woa.grapple.outcome-table", f"result={name}")
    return found


def outcome_of(fight: Fight, beaten: int) -> str:
    """Return the topic of the rule on an outcome."""
    if not beaten:
        return "woa.grapple.outcome.tie"
    clear = abs(beaten) >= fight.figure("woa.grapple.outcome.win-by-5", "margin")
    return "grapple.outcome.win-by-5" if clear else "woa.grapple.outcome.win-by-4"
