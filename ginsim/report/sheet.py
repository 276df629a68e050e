"""What is shown of a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ginsim.report.page import Notes, whole_page
from ginsim.report.texts import Texts

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["Sheet"]


@dataclass(frozen=True)
class Sheet:
    """A result as it is shown; tables and pictures that are None are left out.

    Attributes
    ----------
    function, arguments, settings : str, sequence, mapping
        ``function(*arguments, **settings)`` of ``ginsim`` plays the same again.
    rules : str
    strategies : sequence of str
    title : str
        Of the page, where the notes have none.
    body : function
        What the page says of this kind of study, in Markdown.
    tables, pictures : function
        All that is saved, by name.
    plot : function
        Draws the main picture, on given axes or its own.
    console : function
        The tables that a terminal shows.
    facts : mapping
        What the manifest says beyond the settings.
    rules_text : str
        The page's section of the rules, if it is not ``rules`` in full.
    remarks : sequence of str
        Sentences under the tables of a terminal.
    """

    function: str
    arguments: Sequence[Any]
    settings: Mapping[str, Any]
    rules: str
    strategies: Sequence[str]
    title: str
    body: Callable[[], str]
    tables: Callable[[], Mapping[str, pd.DataFrame | None]]
    pictures: Callable[[], Mapping[str, Axes | None]]
    plot: Callable[[Axes | None], Axes]
    console: Callable[[], Sequence[Texts]]
    facts: Mapping[str, Any] = field(default_factory=dict)
    rules_text: str = ""
    remarks: Sequence[str] = ()

    def page(self, notes: Notes) -> str:
        """The report in Markdown."""
        return whole_page(
            self.title, self.body(), strategies=self.strategies, rules=self.rules, notes=notes, more=self.rules_text
        )
