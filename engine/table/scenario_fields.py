"""What the fields of scenario files may hold, and how much of it."""

from typing import Annotated, Any

from msgspec import Meta

from affray.events.facts.base import Name, Number, Words

Fields = Annotated[dict[Name, Any], Meta(max_length=1000)]
Sheets = Annotated[dict[Name, Fields], Meta(max_length=10_000)]
Faces = Annotated[list[Number], Meta(max_length=10_000)]
Dice = Faces | Annotated[dict[Words, Number | Faces], Meta(max_length=10_000)] | Words
Chosen = Annotated[
    dict[Words, Words | Annotated[list[Words], Meta(max_length=1000)]], Meta(max_length=10_000)
]
Expected = Annotated[list[Fields], Meta(max_length=10_000)]
After = Annotated[dict[Name, Fields], Meta(max_length=1000)]
