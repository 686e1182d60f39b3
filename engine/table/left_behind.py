"""What of a fight belongs to its rulebook and stays behind when another one takes it over."""

from collections.abc import Iterable, Iterator


def left_behind(
    dialect: str, *, readings: Iterable[str], tables: Iterable[str], house_rules: Iterable[str]
) -> Iterator[str]:
    """Yield in sentences what of a dialect's fight another rulebook has no use for."""
    for what, there in (
        ("readings of contested rules", readings),
        ("tables of the campaign", tables),
        ("house rules", house_rules),
    ):
        if names := ", ".join(sorted(there)):
            yield f"{what} of {dialect} stay behind: {names}"
