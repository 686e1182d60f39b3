"""What the site has beside its pages: rulebooks, the gallery, drawings, files of the checkout linked to."""

from collections.abc import Iterator
from pathlib import Path

from affray.replay.text.html import framed, strip_markup
from making import explained, gallery, pages, rulebooks


def write(docs: Path, out: Path) -> None:
    """Write all of it."""
    rulebooks.write(out)
    gallery.write(out)
    explained.write(out / "_images")
    for path in pages.files_linked(docs):
        name = str(path.relative_to(docs.parent))
        page = out / "checkout" / f"{name}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(framed(name, [*_shown(path)]), encoding="utf-8")


def _shown(path: Path) -> Iterator[str]:
    """Yield the text of a file, or of each file of a folder below its name."""
    if path.is_file():
        yield f"<pre>{strip_markup(path.read_text(encoding='utf-8'))}</pre>"
        return
    for file in sorted(path.iterdir()):
        if file.is_file():
            yield f"<h2>{strip_markup(file.name)}</h2>"
            yield from _shown(file)
