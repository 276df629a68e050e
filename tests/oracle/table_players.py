"""Players for the table game: anything legal, and a script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .cards import Card
from .table import Drawn, Finish, Play, Turn, View, ends


class Anything:
    """Chooses among all that is legal with even chances, by whatever `choose` is."""

    def __init__(self, choose: Callable[[Sequence[Any]], Any]) -> None:
        self.choose = choose

    def draw(self, view: View, depths: list[int]) -> int:
        return int(self.choose(depths))

    def finish(self, view: View, drawn: Drawn) -> Finish:
        end: Finish = self.choose(list(ends(drawn).values()))
        return end

    def claim(self, view: View, discard: Card, ways: list[Play]) -> Play | None:
        way: Play | None = self.choose([None, *ways])
        return way


class Scripted:
    """Makes the turns given, then discards the card it drew from the stock; claims what its list of claims says.

    It keeps the views and the choices it was shown.
    """

    def __init__(self, turns: Iterable[Turn] = (), claims: Iterable[Play | None] = ()) -> None:
        self.turns, self.claims = list(turns), list(claims)
        self.next = Turn(0)
        self.asked: list[tuple[Card, list[Play]]] = []
        self.offered: list[list[int]] = []
        self.views: list[View] = []

    def draw(self, view: View, depths: list[int]) -> int:
        self.offered.append(depths)
        self.views.append(view)
        self.next = self.turns.pop(0) if self.turns else Turn(0)
        return self.next.depth

    def finish(self, view: View, drawn: Drawn) -> Finish:
        if self.next != Turn(0):
            return Finish(self.next.plays, self.next.discard)
        (new,) = drawn.hand - self.views[-1].hand
        return Finish((), new)

    def claim(self, view: View, discard: Card, ways: list[Play]) -> Play | None:
        self.asked.append((discard, ways))
        return self.claims.pop(0) if self.claims else None
