"""Ten questions to the rows of any number of fights, in SQL that SQLite and DuckDB read alike.

Each answer begins with what a bar of its chart stands for, then how long the bar is, then, where something is
to be expected, where the mark is set; further columns are told in the table alone.
"""

from typing import Any

from msgspec import Struct


class Question(Struct, frozen=True):
    """A question by its name: how people ask it, its SQL, and what the bars and marks of its chart are."""

    name: str
    asked: str
    sql: str
    bars: str
    marks: str = ""


class Answer(Struct):
    """What a question brought: its SQL, the names of the columns, and the rows."""

    question: str
    sql: str
    columns: list[str]
    rows: list[list[Any]]


QUESTIONS: dict[str, Question] = {
    one.name: one
    for one in (
        Question(
            "luck",
            "Who is lucky?",
            """
SELECT attacker,
       sum(CASE WHEN hit THEN 1 ELSE 0 END) AS hits,
       round(sum(chance), 2) AS expected,
       count(*) AS attacks
FROM attacks
WHERE thrown AND chance IS NOT NULL
GROUP BY attacker
ORDER BY sum(CASE WHEN hit THEN 1 ELSE 0 END) - sum(chance) DESC, attacker""",
            "hits",
            "expected by the exact chances",
        ),
        Question(
            "flanking",
            "What was flanking worth?",
            """
SELECT a.attacker,
       coalesce(sum(CASE WHEN a.face < 20 AND a.total - a.flanking < a.needed THEN d.dealt END), 0) AS damage,
       sum(CASE WHEN a.hit AND a.face < 20 AND a.total - a.flanking < a.needed THEN 1 ELSE 0 END)
           AS hits_by_flanking,
       count(*) AS attacks_flanking
FROM attacks a LEFT JOIN (
    SELECT fight, attack, sum(dealt) AS dealt FROM damage GROUP BY fight, attack
) d ON d.fight = a.fight AND d.attack = a.seq
WHERE a.flanking > 0
GROUP BY a.attacker
ORDER BY damage DESC, hits_by_flanking DESC, a.attacker""",
            "damage by hits that flanking alone made",
        ),
        Question(
            "cover",
            "How much damage was lost to cover?",
            """
SELECT a.target,
       round(sum(usual.damage), 1) AS damage,
       count(*) AS misses
FROM attacks a
LEFT JOIN (
    SELECT attacker, weapon, avg(expected) AS damage FROM damage GROUP BY attacker, weapon
) usual ON usual.attacker = a.attacker AND usual.weapon = a.weapon
WHERE a.cover > 0 AND NOT a.hit AND a.face > 1 AND a.total >= a.needed - a.cover
GROUP BY a.target
ORDER BY damage DESC, a.target""",
            "what the usual hits of those attackers would have brought",
        ),
        Question(
            "opportunity",
            "What did attacks out of turn bring?",
            """
SELECT a.attacker,
       coalesce(sum(d.dealt), 0) AS damage,
       round(sum(a.chance), 2) AS expected_hits,
       sum(CASE WHEN a.hit THEN 1 ELSE 0 END) AS hits,
       count(*) AS attacks
FROM attacks a LEFT JOIN (
    SELECT fight, attack, sum(dealt) AS dealt FROM damage GROUP BY fight, attack
) d ON d.fight = a.fight AND d.attack = a.seq
WHERE a.reaction
GROUP BY a.attacker
ORDER BY damage DESC, a.attacker""",
            "damage by attacks of opportunity and other reactions",
        ),
        Question(
            "weapons",
            "Who dealt the damage, and with what?",
            """
SELECT attacker || ': ' || weapon AS weapon_of,
       sum(total) AS damage,
       round(sum(coalesce(expected, total)), 1) AS expected,
       sum(dealt) AS dealt,
       count(*) AS hits
FROM damage
GROUP BY attacker, weapon
ORDER BY damage DESC, weapon_of""",
            "damage of all hits, before the targets shrug anything off",
            "expected of their dice",
        ),
        Question(
            "overkill",
            "How much damage went beyond the last hit point?",
            """
SELECT attacker,
       sum(dealt - target_temporary - CASE WHEN target_hp > 0 THEN target_hp ELSE 0 END) AS wasted,
       count(*) AS hits
FROM damage
WHERE NOT nonlethal AND dealt > target_temporary + CASE WHEN target_hp > 0 THEN target_hp ELSE 0 END
GROUP BY attacker
ORDER BY wasted DESC, attacker""",
            "damage beyond the last hit point",
        ),
        Question(
            "rounds",
            "Which rounds were the bloodiest?",
            """
SELECT round,
       sum(CASE WHEN change < 0 THEN -change ELSE 0 END) AS lost,
       sum(CASE WHEN change > 0 THEN change ELSE 0 END) AS healed
FROM hit_points
GROUP BY round
ORDER BY round""",
            "hit points lost",
        ),
        Question(
            "conditions",
            "Which conditions came about, and how often?",
            """
SELECT condition,
       count(*) AS times,
       count(DISTINCT who) AS combatants
FROM conditions
WHERE form = 'condition' AND change = 'began'
GROUP BY condition
ORDER BY times DESC, condition""",
            "times that it began",
        ),
        Question(
            "defense",
            "Whose defense held?",
            """
SELECT target,
       sum(CASE WHEN hit THEN 0 ELSE 1 END) AS averted,
       round(sum(1 - chance), 2) AS expected,
       count(*) AS attacks,
       round(avg(needed), 1) AS needed
FROM attacks
WHERE chance IS NOT NULL AND target_side IS NOT NULL
GROUP BY target
ORDER BY averted DESC, target""",
            "attacks that missed",
            "expected by the exact chances",
        ),
        Question(
            "dice",
            "Are the d20s fair?",
            """
SELECT face,
       count(*) AS times,
       (SELECT count(*) FROM rolls WHERE notation = '1d20' AND thrown) / 20.0 AS expected
FROM rolls
WHERE notation = '1d20' AND thrown
GROUP BY face
ORDER BY face""",
            "times that it was thrown",
            "expected of fair dice",
        ),
    )
}
"""The questions by name, in the order in which they are told."""
