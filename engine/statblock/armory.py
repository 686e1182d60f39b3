"""The weapons of a stat block: each printed attack with a weapon whose parts add up to the printed figures.

The engine's own arithmetic gives the result of sheet and weapon for a single attack, and the engine itself
that of a routine of several weapons declared as one full attack. The rules' penalties on attacks made
together (two weapons, Rapid Shot, natural weapons along with others) are thus left to the rules, and are no
part of the weapon.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.dice.notation import Notation, Throw, throw
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.hands import melee_band
from affray.engine.rules.gear.weapons_in_hand import MISSILE
from affray.engine.statblock import creature
from affray.engine.statblock.creature import (
    ENERGIES,
    Attack,
    Explained,
    Strike,
    attack_bonus,
    attack_series,
    claws_beside,
    damage_bonus,
    masteries,
    names_off_hand,
)
from affray.engine.statblock.paste import (
    LONGEST_FIELD,
    LONGEST_NAME,
    Field,
    Grade,
    Note,
    first_of,
    shown,
    split_top,
)
from affray.engine.statblock.weapons import (
    Hand,
    Routine,
    as_printed,
    can_differ,
    counted,
    exchanged,
    hands_of,
    in_hand,
    look_up,
    marked,
    names_for,
    routine_of,
    routines_of,
)
from affray.engine.table.policies import cautious
from affray.engine.table.runner import resolve
from affray.events.errors import counted as wording_counted
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import AttackResolved, DamageResolved
from affray.events.facts.flow import Declared
from affray.events.facts.sheet import Bonus, Sheet, Weapon
from affray.projections.state import Combatant, Encounter

# --- The effect of a hit, as printed in parentheses: "1d8+14/19-20/x3 plus 1d6 fire and grab"

TYPES: Final = frozenset(
    {*ENERGIES, "bludgeoning", "piercing", "slashing", "force", "negative energy", "positive energy", "bleed"}
)
#: Beginnings of ability scores, whether spelled out or not.
ABILITIES: Final = ("str", "dex", "con", "int", "wis", "cha")
_DICE = "[0-9]{1,3}d[0-9]{1,3}"
_DAMAGE = re.compile(
    rf"^({_DICE}(?: ?\+ ?{_DICE}){{0,5}}|[0-9]{{1,4}})(?: ?([+-]) ?([0-9]{{1,4}})(\.5)?)?(?=[ /,;]|$)"
)
_EXTRA = re.compile(
    rf"^({_DICE}(?: ?[+-] ?[0-9]{{1,3}})?"
    rf"|[0-9]{{1,3}}(?= (?:points? of )?(?:{'|'.join(sorted(TYPES))}|{'|'.join(ABILITIES)})))(?: (.*))?$"
)
_ABILITY = re.compile(
    rf"^(?:points? of )?(?:temporary )?({'|'.join(ABILITIES)})"
    r"(?:ength|terity|stitution|elligence|dom|risma)?(?: (damage|drain))?$"
)
_LEVELS = re.compile(r"^(?:energy drain \()?([0-9]{1,2}) (?:negative )?levels?\)?$")
_SAVE = re.compile(r"^(fort|ref|will)[a-z]*\.? ?(?:save )?dc ([0-9]{1,2})(?: negates)?$")
_THREAT = re.compile(r"/ ?([0-9]{1,2})-20\b")
_TIMES = re.compile(r"/ ?x([2-9])\b")
#: "/x3plus poison", "plus1d6 fire": where print has lost a blank.
_GLUED = re.compile(r"(?<=[0-9)])(?=plus[ 0-9])|(?<=[0-9) ]plus)(?=[0-9])")


def harm_of(damage: str) -> JsonObject:
    """Return the fields of an Attack that its printed damage gives. Linear in the text."""
    damage = _GLUED.sub(" ", damage)
    first, *others = damage.split(" plus ")
    found: JsonObject = {}
    dealt = _DAMAGE.match(first)
    rest = first
    if dealt is not None:
        found["dice"] = dealt[1].replace(" ", "")
        found["flat"] = int(dealt[2] + dealt[3]) if dealt[2] else 0
        rest = first[dealt.end() :]
    threat, times = _THREAT.search(damage), _TIMES.search(damage)
    if threat is not None:
        found["threat"] = max(2, min(20, int(threat[1])))
    if times is not None:
        found["multiplier"] = int(times[1])
    extra: list[tuple[str, str]] = []
    losses: list[str] = []
    riders: list[str] = []
    for number, part in enumerate((rest, *others)):
        plain = _TIMES.sub("", _THREAT.sub("", part)).replace("/20", "")
        for piece in split_top(plain, ",", " and ", ";"):
            word = piece.lower().strip()
            more = _EXTRA.match(word)
            ability = _ABILITY.match(word) if number == 0 and found.get("dice", "0") != "0" else None
            if ability is not None:
                losses.append(f"{found['dice']}{_signed(found['flat'])} {_loss(ability)}")
                found |= {"dice": "0", "flat": 0}
            elif number == 0 and dealt is not None and word.removesuffix(" damage") in TYPES:
                found["kind"] = word.removesuffix(" damage")
            elif number == 0 and word in ("nonlethal", "nonlethal damage"):
                found["nonlethal"] = True
            elif more is not None and (ability := _ABILITY.match(more[2] or "")) is not None:
                losses.append(f"{more[1].replace(' ', '')} {_loss(ability)}")
            elif (levels := _LEVELS.match(word)) is not None:
                losses.append(wording_counted(int(levels[1]), "negative level"))
            elif more is not None:
                extra.append((more[1].replace(" ", ""), (more[2] or "").removesuffix(" damage")))
            elif word:
                riders.append(word)
    found["extra"] = tuple(extra)
    found["losses"] = first_of(losses)
    found["riders"] = first_of(riders)
    return found | (_save_of(found["riders"]) if losses else {})


def _signed(flat: int) -> str:
    return f"{flat:+d}" if flat else ""


def _loss(ability: re.Match[str]) -> str:
    """Return a loss of ability points in the form of a sheet: "str", "con drain"."""
    return f"{ability[1]} drain" if ability[2] == "drain" else ability[1]


def _save_of(riders: tuple[str, ...]) -> JsonObject:
    """Return the saving throw printed next to a loss, removed from the riders."""
    for rider in riders:
        save = _SAVE.match(rider)
        if save is not None:
            others = tuple(one for one in riders if one != rider)
            return {"save": save[1], "dc": int(save[2]), "riders": others}
    return {}


# --- Attack lines as printed: "2 claws +7 (1d6+5 plus grab), bite +7 (1d6+5) or ..." and the 3.5 forms

LONGEST_ATTACK: Final = 400
_SERIES = re.compile(
    r"(?:^|(?<= ))((?:[+-] ?[0-9]{1,3}|0)(?:/ ?[+-]?[0-9]{1,3})*)(?: each)?"
    r"((?: (?:melee|ranged|incorporeal|touch|attacks?))*)$"
)
_COUNT = re.compile(r"^(?:([0-9]{1,3})|(two|three|four|five|six|eight)) +(?=[+A-Za-z])")
_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8}
_ENHANCED = re.compile(r"^\+([0-9]{1,2}) +(?=\S)")
_MASTERWORK = re.compile(r"^(?:mwk|masterwork)\.? +", re.IGNORECASE)
_RATING = re.compile(r" ?\((?:\+([0-9]{1,2}) Str(?: bonus)?|Str \+([0-9]{1,2}))\)", re.IGNORECASE)
#: ") or2 slams", ") orspear": where print has lost the blank after "or".
_LOST_BLANK = re.compile(r"(?<=\) )or(?=([0-9]|[a-z][a-z ]{0,40}))")
_FLURRY = re.compile(r"(?: with)?(?:^| )flurry(?: of blows)?$")


def read_attacks(field: Field, mode: str, notes: list[Note]) -> list[Attack]:
    """Return the attacks of a field in order. `mode` is that of the label, "" if the text gives it."""
    found: list[Attack] = []
    value = _LOST_BLANK.sub(_with_blank, field.value)
    for routine, group in enumerate(split_top(value, " or ", "; or ", ", or ", ";"), 1):
        for piece in [one for text in split_top(group, ",", " and ", ";") for one in _separate(text)]:
            text = piece.removeprefix("or ").removeprefix("and ").strip()
            if text in ("", "-", "none"):
                continue
            attack = _attack(field.line, text, mode, routine) if len(text) <= LONGEST_ATTACK else None
            if attack is None:
                notes.append(Note(field.line, shown(text), *_why_not(text)))
            else:
                # "longbow +8 (1d8) or Rapid Shot +6/+6 (1d8)" shoots the same bow.
                same = attack.name == "rapid shot" and found
                found.append(replace(attack, name=found[-1].name) if same else attack)
    return found


def _with_blank(lost: re.Match[str]) -> str:
    """Return an "or" with the blank that print has lost, and the beginning of "orc double axe" unchanged."""
    name = lost[1].strip()
    known = name.isdigit() or (look_up(name, "")[1] and not look_up(f"or{name}", "")[1])
    return "or " if known else "or"


def _separate(text: str) -> list[str]:
    """Return the attacks of a piece in which print has lost the comma: "bite +5 (1d6) 2 claws +5 (1d4)"."""
    pieces, depth, start, opening = [], 0, 0, 0
    for at, letter in enumerate(text[:LONGEST_FIELD]):
        if letter == "(":
            opening = opening if depth else at
            depth += 1
        elif letter == ")" and depth:
            depth -= 1
            ended = not depth and _SERIES.search(text[max(start, opening - LONGEST_ATTACK) : opening].strip())
            if ended and text[at + 1 :].strip():
                pieces.append(text[start : at + 1])
                start = at + 1
    return [*pieces, text[start:]] if pieces else [text]


def _why_not(text: str) -> tuple[str, Grade]:
    if len(text) > LONGEST_ATTACK:
        return "too long for one attack: not read", "unread"
    if "swarm" in text.lower():
        return "a swarm hits without a roll: not read", "unplayed"
    return "no attack with a bonus: not read", "unread"


def _attack(line: int, text: str, mode: str, routine: int) -> Attack | None:
    head, damage = _parted(text)
    rating = _RATING.search(head)
    if rating is not None:
        head = head[: rating.start()] + head[rating.end() :]
    series = _SERIES.search(head)
    if series is None:
        return None
    name = head[: series.start()].strip()
    said = series[2].split()
    mode = "ranged" if "ranged" in said else "melee" if "melee" in said else mode
    bonuses = tuple(int(one) for one in series[1].replace(" ", "").replace("+", "").split("/"))
    if name.lower().startswith(("melee ", "ranged ")):
        mode, _, name = name.partition(" ")
        mode = mode.lower()
    if not name and damage:
        # The one-line form: "+9 melee (1d8+3/19-20, longsword)".
        pieces = split_top(damage, ",")
        named = [one for one in pieces if _is_name(one)]
        name = named[0] if named else ""
        damage = ", ".join(one for one in pieces if one != name)
    if not name and "touch" in said:
        name = "touch"
    count, name = _counted(name)
    enhanced = _ENHANCED.match(name)
    name = name[enhanced.end() :] if enhanced else name
    masterwork = _MASTERWORK.match(name)
    name = name[masterwork.end() :] if masterwork else name
    name = name.strip(" ,:*").lower()
    flurry = _FLURRY.search(name)
    name = name[: flurry.start()] or "unarmed strike" if flurry else name
    if not name or len(name) > LONGEST_NAME // 2 or any(letter.isdigit() for letter in name):
        return None
    if not mode:
        mode = "ranged" if look_up(name, mode)[2]["wield"] == "projectile" else "melee"
    return Attack(
        line,
        text,
        mode,
        routine,
        count,
        name,
        bonuses,
        enhancement=int(enhanced[1]) if enhanced else 0,
        masterwork=masterwork is not None,
        touch="touch" in said,
        incorporeal="incorporeal" in said,
        rating=int(rating[1] or rating[2]) if rating else None,
        flurry=flurry is not None,
        **harm_of(damage),
    )


def _is_name(piece: str) -> bool:
    """Return whether a piece of the one-line form is the name of a weapon: "2 claws", not "1d6" or "5
    fire".
    """
    count = _COUNT.match(piece)
    return not piece[0].isdigit() or (count is not None and piece[count.end() :] not in TYPES)


def _parted(text: str) -> tuple[str, str]:
    """Return the text before the last parenthesis, and the text in it."""
    if not text.endswith(")"):
        opening = text.find("(")
        # A parenthesis left open, or words after it: the text before the last one still counts.
        if opening < 0:
            return text.strip(), ""
        before, after = text[:opening].strip(), text[opening + 1 :]
        return (before, after.partition(")")[0]) if _SERIES.search(before) else (text, "")
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if not depth:
            return text[:at].strip(), text[at + 1 : -1].strip()
    return text, ""


def _counted(name: str) -> tuple[int, str]:
    found = _COUNT.match(name)
    if found is None:
        return 1, name
    return int(found[1] or _WORDS[found[2]]), name[found.end() :]


# --- Printed routines, played: the result of each of their attacks when all are declared as one full attack
# The runner of the engine plays them against a motionless post: the result is that of a fight, with every
# rule on several weapons that the dialect has.

#: The attacker, and two targets: one adjacent, one as far away as its weapon reaches.
STRIKER, NEAR, FAR = "striker", "post", "far post"
_POST: Final = Sheet("post", 1_000_000, kind="construct", armor=(Bonus(-100, "penalty", "stands still"),))
_MAP: Final = ("." * 64,) * 24
_AT: Final = (2, 8)


class Played(Struct, frozen=True, gc=False):
    """One attack as played: the weapon, the bonus of the roll, and the bonus of its damage dice.

    `damage` is None if it dealt no damage to hit points.
    """

    weapon: str
    bonus: int
    damage: int | None


class _Even:
    """Dice that always hit, never threaten and show their maximum, so that no damage is raised to the
    least.
    """

    def throw(self, key: str, notation: Notation) -> tuple[Throw, str]:
        face = 10 if "/attack/" in key else 1_000
        return throw(notation, lambda sides, count: (min(face, sides),) * count), "scripted"


def is_plain(sheet: Sheet, routine: Routine, dialect: str) -> bool:
    """Return whether each attack of a routine is the same as it would be alone.

    One weapon made, with the series of the base attack bonus, or limbs only, without further attacks.
    """
    if routine.flurry or routine.rapid_shot or any(one.off_hand for one in routine.strikes):
        return False
    by_weapon: dict[str, list[int]] = {}
    for one, bonus in zip(routine.strikes, routine.bonuses, strict=True):
        by_weapon.setdefault(one.weapon, []).append(bonus)
    limbs = {weapon.name for weapon in sheet.weapons if weapon.wield == "natural"}
    if by_weapon.keys() <= limbs:
        return all(len(set(bonuses)) == 1 for bonuses in by_weapon.values())
    first = routine.bonuses[0]
    series = attack_series(sheet, first, dialect)
    return len(by_weapon) == 1 and routine.bonuses == series[: len(routine.bonuses)]


def play(sheet: Sheet, routine: Routine, dialect: str) -> tuple[Played, ...] | str:
    """Return the result of each attack of a routine in a fight, or why the dialect refuses it."""
    fight = Fight(_scene(sheet, routine, dialect), load(dialect))
    striker = fight.state.combatants[STRIKER]
    weapons = {weapon.name: weapon for weapon in sheet.weapons}
    act = routine.declared(STRIKER, NEAR)
    if routine.mode == "melee":
        strikes = (
            replace(one, target=_target(striker, weapons[one.weapon])) if one.weapon in weapons else one
            for one in act.strikes
        )
        act = replace(act, strikes=tuple(strikes))
    told: list[object] = []
    found = resolve(fight, Declared("d1", act), seq=1, dice=_Even(), answers=cautious, tell=told.append)
    return found.refused.reason if found.refused is not None else _attacks(told)


def _attacks(told: list[object]) -> tuple[Played, ...]:
    """Return the attacks among the facts, each with the damage that follows it."""
    found: list[Played] = []
    for fact in told:
        if isinstance(fact, AttackResolved) and fact.attacker == STRIKER:
            found.append(Played(fact.weapon, fact.total - fact.natural, None))
        elif isinstance(fact, DamageResolved) and found and found[-1].damage is None:
            dice = sum(part.total for part in fact.dice)
            found[-1] = replace(found[-1], damage=fact.total - dice)
    return tuple(found)


def _target(striker: Combatant, weapon: Weapon) -> str:
    """Return the post that a weapon reaches in melee."""
    least, _ = melee_band(striker, weapon)
    return FAR if least > 5 else NEAR


def _scene(sheet: Sheet, routine: Routine, dialect: str) -> Encounter:
    """Return a fight in the attacker's turn."""
    state = Encounter(
        dialect=dialect,
        terrain=_MAP,
        begun=True,
        round=1,
        turn=1,
        active=STRIKER,
        until_closed=True,
        things_lie=True,
        defaults=load(dialect).book.defaults,
    )
    space, reach = load(dialect).position.space_and_reach(Fight(state, load(dialect)), sheet)
    column, row = _AT
    # A creature without reach attacks from the square of its target.
    places = {NEAR: column + space if reach >= 5 or routine.mode == "ranged" else column}
    if reach >= 5 and routine.mode == "melee":
        places[FAR] = column + space - 1 + reach * 2 // 5
    posts = [
        Combatant(id, "posts", _POST, (at, row), 1, 5, _POST.hp, _POST.hp, acted=True)
        for id, at in places.items()
    ]
    striker = Combatant(
        STRIKER, "strikers", sheet, _AT, space, reach, sheet.hp, sheet.hp, held=routine.held, acted=True
    )
    state.combatants = {one.id: one for one in (striker, *posts)}
    state.order = tuple(state.combatants)
    return state


MOST_ATTACKS = 60
#: More than any bonus: a routine that is refused.
FAR_OFF = 1_000_000


class Armed(Struct, frozen=True, gc=False):
    """The result of printed attacks: the sheet with its weapons, which attack has which, the routines."""

    sheet: Sheet
    strikes: tuple[Strike, ...]
    routines: tuple[Routine, ...]


class Outcomes(Struct, frozen=True, gc=False):
    """The result of an attack alone, and together with its routine if the rules allow that."""

    single: Played
    played: Played | None


class Fitted(Struct, frozen=True, gc=False):
    """A routine, and the weapon of each of its hands."""

    hands: tuple[Hand, ...]
    names: tuple[str, ...]
    routine: Routine


def arm(
    sheet: Sheet, fields: Sequence[tuple[Sequence[Attack], bool]], dialect: str, notes: list[Note]
) -> Armed:
    """Return the sheet with the weapons of the attacks of each field, each weapon once.

    Each field is given with whether its attacks are made together, or each by itself.
    """
    armory = Armory(sheet, dialect, notes)
    series = attack_series(sheet, 0, dialect)
    plans: list[tuple[list[Hand], bool]] = []
    room = MOST_ATTACKS
    for attacks, whole in fields:
        for attack in attacks[room:]:
            reason = f"more than {MOST_ATTACKS} attacks: not read"
            notes.append(Note(attack.line, shown(attack.text), reason, "unread"))
        for group in routines_of(sheet, attacks[:room], series, notes):
            plans.append((hands_of(sheet, group, series), whole))
        room = max(0, room - len(attacks))
    # Natural weapons first: alone they show which are primary and which secondary.
    fitted: dict[int, Fitted] = {}
    for number in sorted(range(len(plans)), key=lambda at: not all(hand.natural for hand in plans[at][0])):
        fitted[number] = armory.fit(plans[number][0], series)
    strikes: list[Strike] = []
    routines: list[Routine] = []
    for number, (_, whole) in enumerate(plans):
        one, at = fitted[number], 0
        for hand, name in zip(one.hands, one.names, strict=True):
            if not hand.copy:
                strikes.append(Strike(name, hand.attack, len(routines) if whole else -1, at))
            at += len(hand.bonuses)
        routines += [one.routine] * (whole and bool(one.hands))
    used = first_of(name for number in range(len(plans)) for name in fitted[number].names)
    found = replace(armory.sheet, weapons=tuple(armory.weapons[name] for name in used))
    for strike in strikes:
        found = without_the_only_one(found, strike, dialect)
    return Armed(found, tuple(strikes), tuple(routines))


def without_the_only_one(sheet: Sheet, strike: Strike, dialect: str) -> Sheet:
    """Return the sheet, with the printed bonus of a natural weapon that was the only one, and no longer
    is.
    """
    limbs = [weapon for weapon in sheet.weapons if weapon.wield == "natural"]
    found = next((one for one in limbs if one.name == strike.weapon), None)
    attack = strike.attack
    if found is None or len(limbs) < 2 or attack.dice == "0" or attack.mode != "melee":
        return sheet
    if not {"primary", "secondary"}.isdisjoint(found.traits):
        return sheet
    plain = marked(found, "primary")
    whole = exchanged(sheet, plain)
    missing = attack.flat - damage_bonus(whole, plain, True, dialect)
    parts = creature.explain_damage(whole, attack, plain, missing).parts
    return exchanged(whole, replace(plain, bonus_damage=(*plain.bonus_damage, *parts)))


class Armory:
    """The weapons found so far, by name, and the printed form of each."""

    def __init__(self, sheet: Sheet, dialect: str, notes: list[Note]) -> None:
        self.sheet, self.dialect, self.notes = sheet, dialect, notes
        self.weapons: dict[str, Weapon] = {}
        self._forms: dict[str, Weapon] = {}

    def fit(self, hands: Sequence[Hand], series: Sequence[int]) -> Fitted:
        """Add the missing weapons of a routine, so that it has the printed figures."""
        kept: list[Hand] = []
        forms: list[Weapon] = []
        remarks: list[list[Note]] = []
        for hand in hands:
            found: list[Note] = []
            form = as_printed(self.sheet, hand, self.dialect, found)
            if form is None:
                self.notes += found
                continue
            kept.append(hand)
            forms.append(form)
            remarks.append(found)
        barred: set[int] = set()
        while True:
            names = self._names(kept, forms, barred)
            placed = self._placed(kept, forms, names)
            sheet = self._with(placed)
            routine = routine_of(sheet, kept, names, series, names_off_hand(self.dialect))
            outcomes = self._outcomes(sheet, kept, names, routine)
            misfits = {
                at
                for at, name in enumerate(names)
                if name in self.weapons and at not in barred and not self._fits(kept[at], outcomes[at])
            }
            if not misfits:
                break
            barred |= misfits
        if sum(not hand.natural for hand in kept) > 1:
            sheet, placed, outcomes = self._with_mastery(sheet, kept, names, routine, outcomes, placed)
        for at, name in enumerate(names):
            if name not in self.weapons and name not in names[:at]:
                self.notes += remarks[at]
                beside = not is_plain(sheet, routine, self.dialect) and outcomes[at].played is None
                placed[name] = self._explained(sheet, kept[at], placed[name], outcomes[at], beside)
                self._forms[name] = forms[at]
        self.weapons |= placed
        # Traits that the routine has shown apply to later ones too.
        self.sheet = replace(self.sheet, traits=sheet.traits)
        return Fitted(tuple(kept), tuple(names), routine)

    def _names(self, hands: Sequence[Hand], forms: Sequence[Weapon], barred: set[int]) -> list[str]:
        """Return the name of each hand's weapon: an existing one, or a new one.

        Those `barred` need a separate name. Hands of one routine share a weapon that fills more than one
        hand.
        """
        names: list[str] = []
        for at, (hand, form) in enumerate(zip(hands, forms, strict=True)):
            for name in names_for(form.name, hand.attack):
                mine = [other for other, taken in enumerate(names) if taken == name]
                if mine:
                    same = forms[mine[0]] == form and hands[mine[0]].bonuses[:1] == hand.bonuses[:1]
                    apart = can_differ(form, self.dialect)
                    ends = not apart and "double" in form.traits and forms[mine[0]].name == form.name
                    if ends or (same and (not apart or (hand.off and hand.attack.mode == "ranged"))):
                        break
                elif name not in self.weapons or (at not in barred and self._forms[name] == form):
                    break
            names.append(name)
        return names

    def _placed(
        self, hands: Sequence[Hand], forms: Sequence[Weapon], names: Sequence[str]
    ) -> dict[str, Weapon]:
        """Return the weapons of a routine by name: the existing ones, and the new ones as printed."""
        placed: dict[str, Weapon] = {}
        alone = sum(not hand.natural for hand in hands) == 1
        for hand, form, name in zip(hands, forms, names, strict=True):
            if name in placed:
                continue
            weapon = self.weapons.get(name)
            if weapon is None:
                weapon = in_hand(self.sheet, hand, replace(form, name=name), alone, self.dialect)
            if hand.natural:
                like = (one for one, other in zip(hands, names, strict=True) if other == name)
                weapon = replace(weapon, traits=counted(weapon, sum(one.attack.count for one in like)))
            elif hand.attack.mode == "ranged" and weapon.thrown and MISSILE not in weapon.traits:
                throws = sum(
                    len(one.bonuses) for one, other in zip(hands, names, strict=True) if other == name
                )
                weapon = replace(weapon, ammunition=throws if throws > 1 else weapon.ammunition)
            placed[name] = weapon
        limbs = [hand for hand in hands if hand.natural]
        for hand, name in zip(hands, names, strict=True):
            if hand.natural and name not in self.weapons and len(limbs) > 1:
                placed[name] = marked(placed[name], "primary")
        return placed | claws_beside(self.sheet, placed, self.dialect)

    def _with(self, placed: dict[str, Weapon]) -> Sheet:
        """Return the sheet with its weapons and those of a routine, and with enough arms for all of them."""
        hands = sum(max(one.hands, 1) for one in placed.values() if one.wield not in ("natural", "unarmed"))
        traits = self.sheet.traits
        if hands > 2 and not any(trait.startswith("arms ") for trait in traits):
            traits = (*traits, f"arms {hands + hands % 2}")
        return replace(self.sheet, weapons=tuple((self.weapons | placed).values()), traits=traits)

    def _with_mastery(
        self,
        sheet: Sheet,
        hands: Sequence[Hand],
        names: Sequence[str],
        routine: Routine,
        outcomes: list[Outcomes],
        placed: dict[str, Weapon],
    ) -> tuple[Sheet, dict[str, Weapon], list[Outcomes]]:
        """Return sheet, weapons and outcomes of a routine by what print implies about several weapons.

        The weapon of the off hand may count as light, or no penalty may apply: the reading nearest to print
        is used.
        """
        best = self._left(sheet, hands, names, outcomes)
        light = {
            name: replace(weapon, wield="light")
            for name, weapon in placed.items()
            if weapon.off_hand and weapon.wield == "one-handed" and name not in self.weapons
        }
        ways: list[tuple[str, Sheet, dict[str, Weapon]]] = []
        if light:
            changed = placed | light
            ways.append(("the weapon of the off hand counts as light", self._with(changed), changed))
        made = sum(not hand.natural for hand in hands)
        for trait in masteries(sheet, self.dialect, made == 2):
            ways.append((f"{trait} is assumed", replace(sheet, traits=(*sheet.traits, trait)), placed))
        told = ""
        for reason, other, weapons in ways:
            found = self._outcomes(other, hands, names, routine)
            left = self._left(other, hands, names, found)
            if left < best and (not left or weapons is placed):
                best, told, sheet, placed, outcomes = left, reason, other, weapons, found
        if told:
            attack = hands[-1].attack
            reason = f"the penalties of several weapons are not in print: {told}"
            self.notes.append(Note(attack.line, shown(attack.text), reason))
        return sheet, placed, outcomes

    def _left(
        self, sheet: Sheet, hands: Sequence[Hand], names: Sequence[str], outcomes: Sequence[Outcomes]
    ) -> int:
        """Return how much of a routine's attack bonuses would stay unexplained."""
        weapons = {weapon.name: weapon for weapon in sheet.weapons}
        total = 0
        for hand, name, outcome in zip(hands, names, outcomes, strict=True):
            if outcome.played is None:
                return FAR_OFF
            if not hand.natural:
                missing = hand.bonuses[0] - outcome.played.bonus
                total += abs(creature.explain_attack(sheet, hand.attack, weapons[name], missing).left)
        return total

    def _outcomes(
        self, sheet: Sheet, hands: Sequence[Hand], names: Sequence[str], routine: Routine
    ) -> list[Outcomes]:
        """Return the result of the first strike of each hand: declared with all others, and alone."""
        found: list[Outcomes] = []
        weapons = {weapon.name: weapon for weapon in sheet.weapons}
        played = () if is_plain(sheet, routine, self.dialect) else play(sheet, routine, self.dialect)
        first = 0
        for hand, name in zip(hands, names, strict=True):
            melee, weapon = hand.attack.mode == "melee", weapons[name]
            single = Played(
                name,
                attack_bonus(sheet, weapon, melee, self.dialect),
                damage_bonus(sheet, weapon, melee, self.dialect),
            )
            whole = not isinstance(played, str) and len(played) == len(routine.strikes)
            found.append(Outcomes(single, played[first] if whole and isinstance(played, tuple) else None))
            first += len(hand.bonuses)
        return found

    def _fits(self, hand: Hand, outcomes: Outcomes) -> bool:
        """Return whether an existing weapon gives the printed figures."""
        one = outcomes.played or outcomes.single
        dice = hand.attack.dice != "0" and not hand.copy
        return one.bonus == hand.bonuses[0] and not (dice and one.damage not in (None, hand.attack.flat))

    def _explained(self, sheet: Sheet, hand: Hand, weapon: Weapon, outcome: Outcomes, beside: bool) -> Weapon:
        """Return a new weapon with the parts that make up the difference to print.

        The attack in its routine or the attack alone counts, whichever leaves less unexplained.
        """
        outcomes = [one for one in (outcome.played, outcome.single) if one is not None]
        attack, melee = hand.attack, hand.attack.mode == "melee"
        first = hand.bonuses[0]
        found = [
            creature.explain_attack(sheet, attack, weapon, first - one.bonus, beside) for one in outcomes
        ]
        best = min(range(len(found)), key=lambda at: abs(found[at].left))
        hit = found[best]
        self._tell(hand, hit, f"attack bonus {first:+d}")
        if hit.secondary:
            return self._secondary(sheet, hand, weapon, hit)
        weapon = replace(weapon, attack=(*weapon.attack, *hit.parts))
        if attack.dice == "0" or hand.copy:
            return weapon
        damages = {
            one.damage: creature.explain_damage(sheet, attack, weapon, attack.flat - one.damage)
            for one in outcomes[best:]
            if one.damage is not None
        }
        if not damages:
            return weapon
        harm = min(damages.values(), key=lambda one: (abs(one.left), len(one.parts)))
        if weapon.wield == "natural" and melee and harm.parts and "primary" not in weapon.traits:
            plain = marked(weapon, "primary")
            flat = damage_bonus(exchanged(sheet, plain), plain, melee, self.dialect)
            other = creature.explain_damage(sheet, attack, plain, attack.flat - flat)
            weapon, harm = plain, other
        self._tell(hand, harm, f"damage bonus {attack.flat:+d}")
        return replace(weapon, bonus_damage=(*weapon.bonus_damage, *harm.parts))

    def _secondary(self, sheet: Sheet, hand: Hand, weapon: Weapon, hit: Explained) -> Weapon:
        """Return a secondary natural weapon, with its secondary modifiers as separate parts."""
        attack = hand.attack
        named = replace(marked(weapon, "secondary"), attack=(*weapon.attack, *hit.parts))
        if attack.dice == "0":
            return named
        flat = damage_bonus(exchanged(sheet, named), named, True, self.dialect)
        harm = creature.explain_damage(sheet, attack, named, attack.flat - flat)
        self._tell(hand, harm, f"damage bonus {attack.flat:+d}")
        return replace(named, bonus_damage=(*named.bonus_damage, *harm.parts))

    def _tell(self, hand: Hand, found: Explained, what: str) -> None:
        """Add a note on a difference that no rule explains."""
        if found.left:
            reason = f"{what}: {found.left:+d} of it is explained by nothing on the sheet"
            self.notes.append(Note(hand.attack.line, shown(hand.attack.text), reason))
