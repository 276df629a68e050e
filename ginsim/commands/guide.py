"""``ginsim guide``: the topics, or a page of the guide."""

from __future__ import annotations

import sys

from ginsim.commands import tell
from ginsim.commands.console import print_tables
from ginsim.guide import about, page, topics
from ginsim.report.texts import Texts


def show(topic: str) -> None:
    """Print a page, or the topics if none is named; as Markdown where it goes into a file."""
    if not topic:
        print_tables([Texts(("topic", "about"), [(name, about(name)) for name in topics()], title="ginsim guide TOPIC")])
    elif sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(page(topic)))
    else:
        tell(page(topic).rstrip())
