"""The documentation site: `python -m sphinx docs OUT` builds all of it, without a network.

The pages are the Markdown files of this folder, as they can be read on any code host. Where one says
`<!-- made: NAME -->` the build puts in what `making/` writes from the code; what stands beside the pages, the
rulebooks and the gallery, is written into OUT when the pages are done.
"""

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from making import beside, check, pages, searched
from pygments.lexers.special import TextLexer

from affray.engine.version import VERSION

project = "Affray"
copyright = "the authors of Affray, MIT licence; the rules are Open Game Content"
release = version = VERSION
extensions = ["myst_parser"]
exclude_patterns = ["examples", "making"]
html_theme = "furo"
html_title = f"Affray {VERSION}"
html_show_copyright = False
smartquotes = False
html_copy_source = False
html_static_path: list[str] = []
html_search_scorer = str(HERE / "making" / "scorer.js")
pygments_style, pygments_dark_style = "friendly", "github-dark"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
myst_heading_anchors = 6
"""Headings have the addresses that code hosts give them."""

nitpick_ignore_regex = [("py:.*", ".*")]
"""Types of signatures that are no public names have no page; links of texts are all checked."""


def setup(app: Any) -> None:
    """Have pages filled in as they are read, made ones each time, and the rest written when they are done."""
    for language in ("affray", "post"):  # texts in the notation, and what people write in a forum
        app.add_lexer(language, TextLexer)
    app.connect("env-get-outdated", lambda app, env, *changes: pages.made(HERE))
    app.connect(
        "source-read", lambda app, name, source: source.__setitem__(0, pages.filled(HERE, name, source[0]))
    )
    app.add_domain(searched.Rules)
    app.connect("build-finished", lambda app, fault: fault or finish(app))


def finish(app: Any) -> None:
    """Write what is linked to and no page, then follow every link of the site; each fault is a warning."""
    from sphinx.util import logging

    if app.builder.name != "html":
        return
    out = Path(app.outdir)
    beside.write(HERE, out)
    searched.write(app.builder)
    for fault in check.faults(out):
        logging.getLogger(__name__).warning(fault)
