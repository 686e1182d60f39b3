"""Attacking whom one does not see: placing it, or striking where it may be (woa.concealment.total.*)."""

from affray.engine.dialects.woa.position.weapon_reach import band
from affray.engine.dialects.woa.senses.concealment import unseen
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.line import can_be_put
from affray.engine.grid.reach import space
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.saves_and_checks import skill_parts
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed, side_of
from affray.engine.rules.position.place import in_band, squares_of
from affray.engine.steps import Choice, Roll, Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

LOCATE, BLIND = "woa.concealment.total.locate", "woa.concealment.total.blind-attack"
KNOWN, RANDOM = "known", "at random"
#: What the game master may call for to place an unseen opponent: the sense, and what it is opposed by.
CALLED_FOR = {"listen": ("wis", "move silently"), "spot": ("wis", "stealth")}


def place_target(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let the attacker place a target that it does not see; return whether the blow goes where that is.

    The game master says whether the place is known, which check is called for, or that there is no telling;
    then the attacker strikes where it thinks, or at random (woa.concealment.total.locate, .blind-attack).
    """
    attacker, target = blow.attacker, blow.target
    if not unseen(fight, attacker, target):
        return True
    rule = fight.rule(LOCATE)
    question = f"{attacker.id} attacks {target.id} unseen: does it know where?"
    answer = yield Choice("", "locate", question, (KNOWN, *CALLED_FOR, "no telling"), rule)
    if answer in CALLED_FOR:
        found = yield from notices(fight, attacker, target, answer)
    else:
        found = answer == KNOWN
    if found:
        blow.cites.append(rule)
        return True
    return (yield from strikes_where(fight, blow))


def notices(fight: Fight, combatant: Combatant, target: Combatant, sense: str) -> Steps[bool]:
    """Oppose a sense to the quiet or the stealth of somebody unseen; return whether it is pinpointed."""
    ability, against = CALLED_FOR[sense]
    rule = fight.rule(LOCATE)
    mine = side_of(fight, combatant, sense, skill_parts(fight, combatant, sense, ability, rule))
    theirs = side_of(fight, target, against, skill_parts(fight, target, against, "dex", rule))
    answer = against.replace(" ", "-")
    return (yield from roll_opposed(fight, sense, mine, theirs, rule, answer=answer)) > 0


def strikes_where(fight: Fight, blow: Blow) -> Steps[bool]:
    """Strike into a square of one's choice, or a random one; return whether the target is there.

    Whether the guess was right comes out after the blow (woa.concealment.total.blind-attack).
    """
    attacker = blow.attacker
    rule = fight.rule(BLIND)
    places = {f"{x},{y}": (x, y) for x, y in squares_for_blind_blow(fight, blow)}
    question = f"where does {attacker.id} strike?"
    answer = yield Choice(attacker.id, "guess", question, (RANDOM, *places), rule)
    if answer == RANDOM:
        rolled = yield Roll(attacker.id, "guess", f"1d{len(places)}")
        answer = list(places)[rolled.total - 1]
    if places[answer] in squares_of(blow.target):
        blow.cites.append(rule)
        return True
    blow.outcome.landed = places[answer]
    yield from roll_at_nobody(fight, attacker, places[answer])
    return False


def squares_for_blind_blow(fight: Fight, blow: Blow) -> list[Square]:
    """Return the squares that a blind blow may go to: those in reach, of a shot those about the target."""
    (x, y), side = blow.target.at, blow.target.space
    near = space((x - 1, y - 1), side + 2)
    if blow.melee:
        return squares_in_reach(fight, blow.attacker, blow.weapon)
    at, size = blow.attacker.at, blow.attacker.space
    return [square for square in near if can_be_put(fight.field, at, size, square, 1)]


def squares_in_reach(fight: Fight, combatant: Combatant, weapon: Weapon) -> list[Square]:
    """Return the squares, but for one's own, that a weapon reaches in melee."""
    least, most = band(fight, combatant, weapon)
    far = most // 5
    (x, y), side = combatant.at, combatant.space
    own = squares_of(combatant)
    return [
        square
        for square in space((x - far, y - far), side + 2 * far)
        if square not in own
        and can_be_put(fight.field, combatant.at, side, square, 1)
        and in_band(combatant.at, combatant.space, square, 1, least, most)
    ]


def roll_at_nobody(fight: Fight, combatant: Combatant, at: Square) -> Steps[None]:
    """Make the roll of a blow at nobody, and say only then that it was one."""
    yield Roll(combatant.id, "attack", "1d20")
    what = f"strikes at nobody in {at[0]},{at[1]}"
    yield RuleApplied(who=combatant.id, what=what, cites=fight.rules(BLIND))
