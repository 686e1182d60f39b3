"""What `affray rules --points` prints: what stands at each point of a dialect."""

from collections.abc import Iterator

from affray.engine.book.card import wrapped
from affray.engine.dialects import load, packages_for
from affray.engine.record.acts import purpose
from affray.events.wording import counted
from affray.replay.cli.base import width
from affray.replay.cli.printing import print_json, put, put_all
from affray.replay.rulebook.points import PointShown, StageShown, points
from affray.replay.rulebook.points_diff import PointDifference, compared_points

_ASKED = {"*": "while anything lasts on anybody", "+": "for riders, mounts and those that lost one"}
_SHORT = "affray.engine."


def print_points(dialect: str, name: str, house_rules: tuple[str, ...], json: bool) -> None:
    """Print the points of a dialect: all, a chapter's or those of one name. Raises UnknownPoint."""
    rules = load(dialect, packages=packages_for(dialect, house_rules))
    found = points(rules, name)
    if json:
        print_json({"dialect": dialect, "points": found})
        return
    chapter = ""
    for point in found:
        if point.chapter != chapter:
            if chapter:
                put()
            put(f"{point.chapter}: {purpose(type(getattr(rules, point.chapter)))}")
            chapter = point.chapter
        put_all(_point(point))
    plain = sum(point.plain for point in found)
    many = counted(len(found), "point")
    put()
    put(f"{dialect}: {many}, {plain} of them the chapter's plain value (plain)")


def print_difference(a: str, b: str, name: str, json: bool) -> None:
    """Print where the records of two dialects part. Raises UnknownPoint."""
    found = compared_points(load(a), load(b), name)
    if json:
        print_json({"a": a, "b": b, "points": found})
        return
    wide = max(len(a), len(b))
    for one in found:
        if not one.same:
            put_all(_difference(one, a.ljust(wide), b.ljust(wide)))
    alike = sum(one.same for one in found)
    put(f"{a} and {b}: {alike} of {len(found)} points are the same, the others above")


def _point(point: PointShown) -> Iterator[str]:
    plain = ", plain" if point.plain else ""
    yield from wrapped(f"{point.name} ({point.kind}{plain}): {point.purpose}", width(), "  ", "      ")
    if point.value is not None:
        yield f"    {point.value!r}"
    marked = point.kind in ("acts", "list") and not point.plain
    for stage in point.stages:
        yield from _stage(stage, "    ", marked)


def _stage(stage: StageShown, indent: str, marked: bool = False) -> Iterator[str]:
    """Yield the rows on a stage; `marked` says which entries are plain, where not all are."""
    head = ": ".join(filter(None, (stage.label, _short(stage.function))))
    if stage.fields:
        head += f" reads {', '.join(stage.fields)}"
    if stage.when:
        head += f" {_asked(stage.when)}"
    if marked and stage.plain:
        head += " (plain)"
    yield from wrapped(head, width(), indent, indent + "  ")
    if stage.cites:
        ids = ", ".join(f"{one.rule} ({one.topic})" if _elsewhere(one) else one.rule for one in stage.cites)
        yield from wrapped(ids, width(), indent + "    ", indent + "    ")
    for one in stage.made_of:
        yield from _stage(one, indent + "  ")


def _difference(one: PointDifference, a: str, b: str) -> Iterator[str]:
    yield f"{one.chapter}.{one.name}"
    sides = ((a, one.a, one.only_a), (b, one.b, one.only_b))
    for name, point, only in sides:
        plain = " (plain)" if point.plain else ""
        if point.kind == "value":
            yield f"  {name}  {point.value!r}{plain}"
        elif point.kind in ("acts", "list"):
            if only:
                labels = ", ".join(dict.fromkeys(stage.label for stage in only))
                yield from _row(f"only in {name.strip()}: {labels}")
        elif len(point.stages) == 1:
            yield f"  {name}  {_in_a_line(point.stages[0])}{plain}"
        else:
            kept = len(point.stages) - len(only)
            order = ", in another order" if not one.only_a and not one.only_b else ""
            told = f"{point.kind} of {len(point.stages)} stages, {kept} of them in both{order}"
            yield f"  {name}  {told}{plain}"
            for stage in only:
                yield f"  {' ' * len(name)}    {_in_a_line(stage)}"
    if one.differing:
        yield from _row(f"differing: {', '.join(one.differing)}")


def _row(text: str) -> list[str]:
    return wrapped(text, width(), "  ", "    ")


def _in_a_line(stage: StageShown) -> str:
    inner = f" ({', '.join(map(_in_a_line, stage.made_of))})" if stage.made_of else ""
    when = f"  {_asked(stage.when)}" if stage.when else ""
    return f"{_short(stage.function)}{inner}{when}"


def _asked(when: tuple[str, ...]) -> str:
    return " or ".join(
        _ASKED.get(place, f"while {place}" if index == 0 else place) for index, place in enumerate(when)
    )


def _short(function: str) -> str:
    return function.removeprefix(_SHORT)


def _elsewhere(one: object) -> bool:
    """Say whether a topic is not simply the id without its dialect."""
    topic, rule = getattr(one, "topic", ""), getattr(one, "rule", "")
    return bool(topic) and rule.partition(".")[2] != topic
