"""``ginsim charts``: charts of when to knock, in short or put together on a page, as pictures, or in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ginsim.commands import tell
from ginsim.report.given import given_charts
from ginsim.report.showing import charts_page


def show(names: Sequence[str], out: Path | None, title: str, command: str) -> None:
    """Print charts, or write what is asked for and print where it is."""
    if out is not None:
        tell(charts_page(names, out, title, command))
        return
    tell("\n\n".join(map(str, given_charts(names))))
