"""Plain text as Markdown: what is no code is no markup either."""

import re


def plain(text: str) -> str:
    """Return a text in which only what stands in backticks means anything, on one line."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    parts[::2] = [re.sub(r"([\\*_<>\[\]|$])", r"\\\1", part) for part in parts[::2]]
    return "".join(part.replace("|", "\\|") if part[:1] == "`" else part for part in parts)


def fenced(text: str, language: str = "text") -> str:
    """Return a text as a block of code."""
    return f"```{language}\n{text.rstrip()}\n```"
