"""The campaign on clauses in small, and what holds of the files of clauses."""

from pathlib import Path

import pytest

from affray.engine.book import Book, dialects
from affray.engine.book.clauses import Clause, count_clauses, read_clauses
from tests.campaigns.clauses import (
    BadClause,
    Job,
    drafted,
    jobs_of,
    noticed_by,
    read_draft,
    sampled,
    scenarios_by_title,
    tried,
    try_out,
)
from tests.campaigns.logic import prepare

SAMPLE = 60
STATED = {name: len(read_clauses(name)) for name in dialects()}
"""How many rules state their clauses, by dialect."""

NO_EFFECT, UNPROVEN = 0.03, 0.02
"""The largest shares of clauses without effect on a fight, and of those that no scenario can notice."""

LINE = "rules/attacks/charge:refuse_hindered_line | "
NOT_PAST = "srd35/charge: not past creatures in the line, friends included"


@pytest.mark.parametrize("dialect", [name for name, many in STATED.items() if many])
def test_clauses_fit_the_catalogue(dialect: str) -> None:
    """Each rule is one of the catalogue, each scenario one of the dialect; few clauses go without one."""
    found, book, titles = read_clauses(dialect), Book.load(dialect), scenarios_by_title(dialect)
    assert [rule.id for rule in book if rule.id in found] == [*found]
    clauses = [clause for one in found.values() for clause in one]
    assert [one.scenario for one in clauses if one.scenario and one.scenario not in titles] == []
    assert [one for one in clauses if one.scenario and not (one.at and one.mutate)] == []
    count = count_clauses(found.values())
    assert count.open == 0
    assert count.no_effect <= NO_EFFECT * count.clauses
    assert count.unproven <= UNPROVEN * count.clauses


def test_a_sample_of_clauses_is_noticed() -> None:
    """The whole is `python tests/campaigns/clauses.py`."""
    jobs = sampled(jobs_of(dialects()), SAMPLE, seed="gate")
    assert len(jobs) == SAMPLE
    wrong = [(job.name, job.clause.at, fault) for job, title, fault in tried(jobs, 2) if fault or not title]
    assert wrong == []


@pytest.mark.parametrize(
    ("at", "mutate"),
    [
        (LINE + "raise Refusal(f'{other.id}", "drop"),
        (LINE + "crossed.intersection(squares_of(other))", "invert"),
        ("srd35.charge.distance/min_squares", "shift"),
        ("srd35/attacks.attack_situation.0 | range_penalty", "drop"),
    ],
)
def test_what_a_scenario_does_not_notice_is_reported(at: str, mutate: str) -> None:
    """A removal is noticed by the scenario that is about it, and not by one that is about something else."""
    prepare()
    other = next(title for title in scenarios_by_title("srd35") if title.startswith("srd35/initiative: "))
    clause = Clause(1, "condition", "", at, mutate)  # type: ignore[arg-type]
    assert try_out(Job("srd35.charge.clear-path", clause, (other,)))[1] == ""


def test_a_removal_is_undone() -> None:
    """The scenario that noticed holds again afterwards, in the same process."""
    prepare()
    clause = Clause(1, "condition", "", LINE + "raise Refusal(f'{other.id}", "drop")
    job = Job("srd35.charge.clear-path", clause, (NOT_PAST,))
    assert noticed_by(job) == NOT_PAST
    kept = Clause(1, "condition", "", LINE + "'dead' in other.conditions", "drop")
    assert noticed_by(Job("srd35.charge.clear-path", kept, (NOT_PAST,))) == ""


@pytest.mark.parametrize(
    ("at", "mutate", "told"),
    [
        ("rules/attacks/charge:refuse_hindered_line | raise Refusal('nobody", "drop", "is found 0 times"),
        ("rules/attacks/charge:no_such_function | x", "drop", "no place"),
        ("rules/attacks/no_such_module:f | x", "drop", "no module"),
        (LINE + "rule", "skip-item", "does not apply"),
        (LINE + "attacker.space", "skip-item", "the code breaks without it"),
        ("srd35.charge.distance/nothing", "shift", "no figure"),
        ("srd35/attacks.attack_situation.0 | no_such_stage", "drop", "no stage"),
        ("", "", "'at' and 'mutate' are needed"),
    ],
)
def test_a_wrong_clause_is_reported(at: str, mutate: str, told: str) -> None:
    """What cannot be removed proves nothing."""
    prepare()
    clause = Clause(1, "condition", "", at, mutate)  # type: ignore[arg-type]
    with pytest.raises(BadClause, match=told):
        noticed_by(Job("srd35.charge.clear-path", clause, (NOT_PAST,)))


def test_a_draft_is_read(tmp_path: Path) -> None:
    """Rules with their clauses below them; a line of another form is named."""
    file = tmp_path / "draft.txt"
    file.write_text(
        "srd35.charge.distance\n"
        "figure: at least 10 ft @ /min_squares ! shift\n"
        "condition: straight @ rules/attacks/charge:refuse_swerving | raise Refusal ! drop\n"
        "effect: a scale ~ miniatures only\n"
        "effect: something ? nothing differs\n",
        encoding="utf-8",
    )
    (clauses,) = read_draft("srd35", file).values()
    assert [one.at.partition(" ")[0] for one in clauses][:1] == ["srd35.charge.distance/min_squares"]
    assert [one.state for one in clauses] == ["open", "open", "no effect", "unproven"]
    with pytest.raises(BadClause, match="expected 'text @ at"):
        drafted("nothing follows", 1, "figure", "srd35.charge.distance", "line 2")
