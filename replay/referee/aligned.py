"""Put the faces that one side of a written roll shows to the dice that another side asks for."""

from collections.abc import Sequence

from msgspec.structs import replace

from affray.replay.referee.dice_lines import Atom, Die, Group, Number, Side, Term, Thrown, thrown_in


def aligned(sides: Sequence[Side], subtotals: bool) -> list[Side]:
    """Return the sides of a roll, each that shows faces with the dice which the first side asks for.

    Where the two are not built alike, the side stays as it is. A number without brackets is what a die shows
    only where each side tells what each term comes to (`subtotals`), or where all else is as it was asked
    for: in `1d20+8 = 14 + 2 = 16` somebody may have added 2 to a total of 14.
    """
    asked = thrown_in(sides[0])
    if not asked or any(one.spec is None or one.dice is not None for one in asked):
        return list(sides)
    found = [sides[0]]
    for place, side in enumerate(sides[1:], 1):
        # What comes last, or behind faces, is a total, to which somebody may have added more.
        between = place == 1 and place < len(sides) - 1
        if thrown_in(side) or _lists(sides[0], side) or (subtotals and between):
            alike = True
        else:
            alike = between and side.number is None and told_alike(sides[0], side)
        found.append((_merged(sides[0], side) if alike else None) or side)
    return found


def told_alike(asked: Side, shown: Side) -> bool:
    """Whether a side shows faces in brackets, or adds the very numbers that were asked for."""
    if thrown_in(shown):
        return True
    if len(asked.terms) != len(shown.terms):
        return False
    pairs = zip(asked.terms, shown.terms, strict=True)
    return _lists(asked, shown) or all(
        one.sign == other.sign and _number(one.first) == _number(other.first)
        for one, other in pairs
        if isinstance(one.first, Number)
    )


def shared_out(asked: Side, faces: Sequence[Die]) -> Side:
    """Return a side with faces that stand in one list put to its dice: so many to each as it asks for."""
    left = list(faces)
    dice = thrown_in(asked)
    last = len(dice) - 1

    def shown(thrown: Thrown) -> Thrown:
        assert thrown.spec is not None
        many = len(left) if thrown is dice[last] else min(thrown.spec.count, len(left))
        taken = tuple(left[:many])
        del left[:many]
        return replace(thrown, dice=taken)

    terms = [
        replace(term, first=shown(term.first)) if isinstance(term.first, Thrown) else term
        for term in asked.terms
    ]
    return replace(asked, terms=tuple(terms))


def shared_by_all(side: Side) -> Side:
    """Return `1d6+1d4 (3, 2)` with each face at its die: the list stands behind all that are asked for."""
    dice = thrown_in(side)
    if len(dice) < 2 or dice[-1].dice is None or any(one.dice is not None for one in dice[:-1]):
        return side
    if not isinstance(side.terms[-1].first, Thrown) or any(one.spec is None for one in dice):
        return side
    return shared_out(side, dice[-1].dice)


def _lists(asked: Side, shown: Side) -> bool:
    """Whether a side lists faces as a sum in parentheses, (4+5), where the other one asks for dice."""
    pairs = zip(asked.terms, shown.terms, strict=False)
    return len(asked.terms) == len(shown.terms) and any(
        isinstance(one.first, Thrown) and isinstance(other.first, Group) for one, other in pairs
    )


def multiplied(side: Side) -> Side | None:
    """Return what `2 x (2d8+7)` asks for, rolled so often: 4d8+14; None for a side of another form."""
    term = side.terms[0]
    if len(side.terms) > 1 or len(term.factors) != 1 or not isinstance(term.first, Number):
        return None
    sign, group = term.factors[0]
    times = term.first.value
    if sign != "*" or not isinstance(group, Group) or not 1 <= times <= 100:
        return None
    terms = []
    for one in group.side.terms:
        atom = one.first
        if one.factors or isinstance(atom, Group):
            return None
        if isinstance(atom, Number):
            terms.append(replace(one, first=replace(atom, value=atom.value * times)))
        elif atom.spec is not None and atom.spec.plain and atom.dice is None:
            count = atom.spec.count * times
            spec = replace(atom.spec, count=count, text=f"{count}d{atom.spec.sides}")
            terms.append(replace(one, first=replace(atom, spec=spec)))
        else:
            return None
    return replace(side, terms=tuple(terms))


def _number(atom: Atom) -> int | None:
    return atom.value if isinstance(atom, Number) else None


def _merged(asked: Side, shown: Side) -> Side | None:
    if len(asked.terms) != len(shown.terms):
        return _by_order(asked, shown)
    terms = []
    for one, other in zip(asked.terms, shown.terms, strict=True):
        if one.sign != other.sign or len(one.factors) != len(other.factors):
            return None
        first = _put(one.first, other.first)
        rest = [_put(a[1], b[1]) for a, b in zip(one.factors, other.factors, strict=True)]
        if first is None or any(each is None for each in rest):
            return None
        signs = [sign for sign, _ in other.factors]
        factors = tuple((sign, each) for sign, each in zip(signs, rest, strict=True) if each is not None)
        terms.append(Term(other.sign, first, factors))
    return replace(shown, terms=tuple(terms))


def _by_order(asked: Side, shown: Side) -> Side | None:
    """Put faces to dice in their order, where constants were added up or left out on the other side."""
    specs = [term for term in asked.terms if isinstance(term.first, Thrown)]
    places = [n for n, term in enumerate(shown.terms) if isinstance(term.first, Thrown)]
    if not specs or len(specs) != len(places):
        return None
    terms = list(shown.terms)
    for one, place in zip(specs, places, strict=True):
        first = _put(one.first, terms[place].first)
        if first is None or one.sign != terms[place].sign:
            return None
        terms[place] = replace(terms[place], first=first)
    return replace(shown, terms=tuple(terms))


def _put(asked: Atom, shown: Atom) -> Atom | None:
    """Return what is shown, as the dice that are asked for; None where it can be none of them."""
    if isinstance(asked, Number):
        if isinstance(shown, Thrown):
            # (8) in place of 8
            one = shown.dice[0] if shown.dice is not None and len(shown.dice) == 1 else None
            return None if one is None or one.fate else Number(one.face, one.column)
        return shown if isinstance(shown, Number) else None
    if isinstance(asked, Group):
        if not isinstance(shown, Group):
            return None
        side = _merged(asked.side, shown.side)
        return None if side is None else replace(shown, side=side)
    assert asked.spec is not None
    if isinstance(shown, Thrown):
        return replace(shown, spec=asked.spec) if shown.spec is None else None
    if isinstance(shown, Number):
        single = asked.spec.count == 1 and asked.spec.plain
        return Thrown(asked.spec, (Die(shown.value, column=shown.column),), shown.column) if single else shown
    dice = []
    for term in shown.side.terms:
        if term.sign < 0 or term.factors or not isinstance(term.first, Number):
            return None
        dice.append(Die(term.first.value, column=term.first.column))
    return Thrown(asked.spec, tuple(dice), shown.column)
