"""The weapons of a stat block: each printed attack with one whose parts add up to what is printed.

The engine's own arithmetic says what sheet and weapon give without help, for a single attack, and the engine
itself what a routine of several weapons comes to when it is declared as one full attack. What rules take from
attacks made together (two weapons, Rapid Shot, natural weapons beside others) is so left to the rules, and no
part of the weapon.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.rules.gear.thrown_weapons import MISSILE
from affray.engine.statblock import explained
from affray.engine.statblock.explained import Explained
from affray.engine.statblock.figures import attack_bonus, attack_series, damage_bonus, names_off_hand
from affray.engine.statblock.hands import Hand, hands_of, routines_of
from affray.engine.statblock.inferred import claws_beside, masteries
from affray.engine.statblock.lines import Note, first_of, shown
from affray.engine.statblock.played import Played, is_plain, play
from affray.engine.statblock.printed_attack import Attack, Strike
from affray.engine.statblock.routines import Routine, counted, exchanged, marked, names_for, routine_of
from affray.engine.statblock.weapons import as_printed, can_differ, in_hand
from affray.events.facts.sheet import Sheet, Weapon

MOST_ATTACKS = 60
#: More than any bonus: a routine that is refused.
FAR_OFF = 1_000_000


class Armed(Struct, frozen=True, gc=False):
    """What printed attacks come to: the sheet with its weapons, which attack has which, the routines."""

    sheet: Sheet
    strikes: tuple[Strike, ...]
    routines: tuple[Routine, ...]


class Outcomes(Struct, frozen=True, gc=False):
    """What an attack comes to by itself, and among all others of its routine if the rules let it be so."""

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

    With each field comes whether its attacks are made together, or each by itself.
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
    # Natural weapons first: alone they show by themselves what is primary and what is secondary.
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
    """Return the sheet, a natural weapon that was the only one, and is not, with what print adds for that."""
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
    parts = explained.explain_damage(whole, attack, plain, missing).parts
    return exchanged(whole, replace(plain, bonus_damage=(*plain.bonus_damage, *parts)))


class Armory:
    """The weapons found so far, by name, and the form in which each was printed."""

    def __init__(self, sheet: Sheet, dialect: str, notes: list[Note]) -> None:
        self.sheet, self.dialect, self.notes = sheet, dialect, notes
        self.weapons: dict[str, Weapon] = {}
        self._forms: dict[str, Weapon] = {}

    def fit(self, hands: Sequence[Hand], series: Sequence[int]) -> Fitted:
        """Add the weapons of a routine that are not there yet, so that it comes out as printed."""
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
        # What the routine has shown of the creature holds for those after it.
        self.sheet = replace(self.sheet, traits=sheet.traits)
        return Fitted(tuple(kept), tuple(names), routine)

    def _names(self, hands: Sequence[Hand], forms: Sequence[Weapon], barred: set[int]) -> list[str]:
        """Return the name of each hand's weapon: one that is there already, or a new one.

        Those `barred` need one of their own. Hands of one routine share what cannot be in one hand only.
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
        """Return the weapons of a routine by name: those that are there, and the new ones as printed."""
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
        """Return the sheet with its weapons and those of a routine, and with the arms for all of them."""
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
        """Return sheet, weapons and outcomes of a routine by what print implies of several weapons.

        The weapon of the off hand may count as light, or no penalty be paid at all: whatever brings the
        routine nearer to print.
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
                total += abs(explained.explain_attack(sheet, hand.attack, weapons[name], missing).left)
        return total

    def _outcomes(
        self, sheet: Sheet, hands: Sequence[Hand], names: Sequence[str], routine: Routine
    ) -> list[Outcomes]:
        """Return what the first strike of each hand comes to: declared with all others, and by itself."""
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
        """Say whether a weapon that is there already gives what is printed."""
        one = outcomes.played or outcomes.single
        dice = hand.attack.dice != "0" and not hand.copy
        return one.bonus == hand.bonuses[0] and not (dice and one.damage not in (None, hand.attack.flat))

    def _explained(self, sheet: Sheet, hand: Hand, weapon: Weapon, outcome: Outcomes, beside: bool) -> Weapon:
        """Return a new weapon with the parts that make up the difference to print.

        Of the attack in its routine and the attack by itself that counts of which less is left unexplained.
        """
        outcomes = [one for one in (outcome.played, outcome.single) if one is not None]
        attack, melee = hand.attack, hand.attack.mode == "melee"
        first = hand.bonuses[0]
        found = [
            explained.explain_attack(sheet, attack, weapon, first - one.bonus, beside) for one in outcomes
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
            one.damage: explained.explain_damage(sheet, attack, weapon, attack.flat - one.damage)
            for one in outcomes[best:]
            if one.damage is not None
        }
        if not damages:
            return weapon
        harm = min(damages.values(), key=lambda one: (abs(one.left), len(one.parts)))
        if weapon.wield == "natural" and melee and harm.parts and "primary" not in weapon.traits:
            plain = marked(weapon, "primary")
            flat = damage_bonus(exchanged(sheet, plain), plain, melee, self.dialect)
            other = explained.explain_damage(sheet, attack, plain, attack.flat - flat)
            weapon, harm = plain, other
        self._tell(hand, harm, f"damage bonus {attack.flat:+d}")
        return replace(weapon, bonus_damage=(*weapon.bonus_damage, *harm.parts))

    def _secondary(self, sheet: Sheet, hand: Hand, weapon: Weapon, hit: Explained) -> Weapon:
        """Return a secondary natural weapon, which has what makes it one as parts of its own."""
        attack = hand.attack
        named = replace(marked(weapon, "secondary"), attack=(*weapon.attack, *hit.parts))
        if attack.dice == "0":
            return named
        flat = damage_bonus(exchanged(sheet, named), named, True, self.dialect)
        harm = explained.explain_damage(sheet, attack, named, attack.flat - flat)
        self._tell(hand, harm, f"damage bonus {attack.flat:+d}")
        return replace(named, bonus_damage=(*named.bonus_damage, *harm.parts))

    def _tell(self, hand: Hand, found: Explained, what: str) -> None:
        """Note what no rule explains."""
        if found.left:
            reason = f"{what}: {found.left:+d} of it is explained by nothing on the sheet"
            self.notes.append(Note(hand.attack.line, shown(hand.attack.text), reason))
