"""One page about a dispute: the question, why it came so, the ruling, what that changed, and digests."""

from collections.abc import Iterator

from msgspec import Struct, field

from affray.events.codec import decode
from affray.events.errors import printable
from affray.events.stores.store import Store
from affray.replay.difference import Difference, diff
from affray.replay.explain.why import format_ruling, text, why
from affray.replay.log.declarations import event_at, groups
from affray.replay.log.register import Dispute, Register, Verdict, register
from affray.replay.text.html import framed, strip_markup
from affray.replay.text.rulebook_links import find_named_rules


class End(Struct, frozen=True):
    """Where a line ends: its last event and that event's digest (hex)."""

    branch: str
    seq: int
    digest: str


class Page(Struct):
    """What a report holds; `ruling` and `difference` are None where there is none (yet).

    `rules` are the addresses of the rules that had a part, by id, where a rulebook was named.
    """

    title: str
    name: str
    dispute: Dispute | None
    ruling: Verdict | None
    sentence: str
    explanation: str
    after: str
    difference: Difference | None
    ends: list[End] = field(default_factory=list)
    rules: dict[str, str] = field(default_factory=dict)


def page(store: Store, *, dispute: str = "", ruling: str = "", rulebook: str = "") -> Page:
    """Return the page of a dispute or of a ruling; each brings the other if they belong together.

    Its rules lead into the `rulebook` (see `rule_address`), if one is named.

    O(events). Raises UnknownDispute.
    """
    known = register(store)
    question, verdict = _both(known, dispute, ruling)
    about = question if verdict is None else verdict
    assert about is not None
    old = verdict.parent if verdict is not None else (question.branch if question is not None else "")
    event = about.event
    before = why(store, old, event) if event else None
    found, after = None, ""
    names = [old]
    if verdict is not None and verdict.branch != old:
        found = diff(store, old, verdict.branch)
        names.append(verdict.branch)
        after = _after(store, verdict, before.explanation.type if before else "", event)
    explained = text(before) if before else ""
    heads = [(name, store.head(name)) for name in names]
    told = verdict.id if verdict is not None else about.id
    return Page(
        title=f"Dispute {question.id}" if question is not None else f"Ruling {told}",
        name=_encounter(store, old),
        dispute=question,
        ruling=verdict,
        sentence=before.explanation.sentence if before else "",
        explanation=explained,
        after=after,
        difference=found,
        ends=[End(name, head.seq, head.digest.hex()) for name, head in heads],
        rules=dict(find_named_rules(f"{explained}\n{after}", rulebook)) if rulebook else {},
    )


def _encounter(store: Store, branch: str) -> str:
    return next((str(decode(event).name) for event in store.read(branch, upto=1)), "")


def _both(known: Register, dispute: str, ruling: str) -> tuple[Dispute | None, Verdict | None]:
    if ruling:
        verdict = known.ruling(ruling)
        return (known.dispute(verdict.dispute) if verdict.dispute else None), verdict
    question = known.dispute(dispute)
    return question, known.ruling(question.ruling) if question.ruling else None


def _after(store: Store, verdict: Verdict, kind: str, event: int) -> str:
    """Return the explanation of what became of the disputed event on the new line, "" if nothing did.

    It is found by its key or, where it has none, as the same kind of event of the same declaration.
    """
    fact = decode(event_at(store, verdict.parent, event))
    key = getattr(fact, "key", "")
    for group in groups(store.read(verdict.branch, after=verdict.seq - 1)):
        if getattr(decode(group[0]), "id", "") != verdict.subject or group[0].type != "declared":
            continue
        for one in group:
            if one.type == kind and (not key or getattr(decode(one), "key", "") == key):
                return text(why(store, verdict.branch, one.seq))
    return ""


def sections(found: Page) -> Iterator[tuple[str, list[str], str]]:
    """Yield the sections of a page: a heading, paragraphs, and preformatted text ("" for none)."""
    asked, ruled = found.dispute, found.ruling
    if asked is not None:
        who = asked.by or "Somebody"
        yield "The question", [f"{who} disputes event {asked.event} of {asked.branch}: {asked.claim}"], ""
    elif ruled is not None and ruled.event:
        yield "The question", [f"Event {ruled.event} of {ruled.parent}: {found.sentence}."], ""
    if found.explanation:
        yield "Why it came so", [], found.explanation
    yield "The ruling", [format_ruling(ruled) if ruled is not None else "Not decided yet."], ""
    if found.difference is not None:
        yield (
            "The difference",
            [found.difference.sentence, found.difference.counted],
            _standing(found.difference),
        )
    if found.after:
        yield "Under the ruling", [], found.after
    ends = [f"{one.branch}  event {one.seq}  sha256 {one.digest}" for one in found.ends]
    yield "The lines", ["The digest of a line's last event covers every event before it."], "\n".join(ends)


def _standing(found: Difference) -> str:
    return "\n".join(printable(row) for one in found.combatants for row in one.rows())


def markdown(found: Page) -> str:
    """Return the page as Markdown; what people wrote is kept from being markup."""
    lines = [f"# {_escaped(found.title)}: {_escaped(found.name)}"]
    for heading, paragraphs, block in sections(found):
        lines += ["", f"## {heading}"]
        for paragraph in paragraphs:
            lines += ["", _escaped(paragraph)]
        if block:
            lines += ["", *(f"    {line}".rstrip() for line in block.split("\n"))]
    if found.rules:
        links = (f"- [{_escaped(id)}](<{address}>)" for id, address in found.rules.items())
        lines += ["", "## In the rulebook", "", *links]
    return "\n".join(lines) + "\n"


def html(found: Page, rulebook: str = "") -> str:
    """Return the page as one self-contained HTML file; everything that people wrote is escaped.

    Rules lead into the rulebook at that address.
    """
    body = []
    for heading, paragraphs, block in sections(found):
        body.append(f"<h2>{strip_markup(heading)}</h2>")
        body += [f"<p>{strip_markup(paragraph)}</p>" for paragraph in paragraphs]
        if block:
            block = "\n".join(map(strip_markup, block.split("\n")))
            body.append(f"<pre>{block}</pre>")
    return framed(f"{found.title}: {found.name}", body, rulebook)


def _escaped(line: str) -> str:
    shown = printable(" ".join(line.split()))
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|" else sign for sign in shown)
