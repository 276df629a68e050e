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
    """A result as it is shown; tables that are None are left out.

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
    tables : function
        All tables that are saved, by name.
    pictures : mapping
        What draws each picture that is saved, on given axes (``ax``) or its own; the main picture first.
    console : function
        The tables that a terminal shows.
    others : sequence of str
        Who played beside the ``strategies``.
    rules_text : str
        The page's section of the rules, if it is not ``rules`` in full.
    same : str
        What the same figures depend on, beside what the page gives to play the same again.
    remarks : sequence of str
        Sentences under the tables of a terminal.
    pages : mapping
        What makes each further web page that is saved, by its name.
    """

    function: str
    arguments: Sequence[Any]
    settings: Mapping[str, Any]
    rules: str
    strategies: Sequence[str]
    title: str
    body: Callable[[], str]
    tables: Callable[[], Mapping[str, pd.DataFrame | None]]
    pictures: Mapping[str, Callable[..., Axes]]
    console: Callable[[], Sequence[Texts]]
    others: Sequence[str] = ()
    rules_text: str = ""
    same: str = ""
    remarks: Sequence[str] = ()
    pages: Mapping[str, Callable[[], str]] = field(default_factory=dict)

    def page(self, notes: Notes) -> str:
        """The report in Markdown."""
        players = (*self.strategies, *self.others)
        texts = {"more": self.rules_text, "same": self.same}
        return whole_page(self.title, self.body(), strategies=players, rules=self.rules, notes=notes, **texts)

    def plot(self, ax: Axes | None = None) -> Axes:
        """The main picture."""
        return next(iter(self.pictures.values()))(ax=ax)
