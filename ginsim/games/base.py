"""What a game must provide so that every study can play it.

A game is a folder beside ``gin`` and ``table``, or one file that your own program passes to `ginsim.games.catalog.enter`
(``tests/toy_game.py`` is a complete one). It provides

- rules (``rules.py``): a ``RulesModel`` with fields, ``GAME`` (the game's name), ``presets()``, each with ``rules`` and a
  ``description``, and, where rules contradict or disable each other, ``_check_together`` and ``_without_effect``. They import
  nothing that plays, so that rules are read at once;
- a ``Repertoire`` (``players/families.py``): the decisions it asks its players for, and the strategies that exist;
- a `Session` (``play.py``): a table at which deals are played and which fills rows of records. The column ``winner`` of a hand is
  a seat, that of a game a side; `hand_sums` and `game_sums` count the rows, unless a compiled function does;
- a `Game` (``game.py``), which says what is in these rows: who won, what that brought, how the hand ended, what else is measured.
  Its ``effect_sums`` begin with the measures, and have each of them again with ``_difference_sq``; ``own_points`` and
  ``own_points_sq`` tell which strategy is best under each rule; a measure that is a ratio needs ``decided``.

Whatever else the game has is given by ``extras`` and the methods `Game.replay` and `Game.advise`; a study that needs more than a
game has refuses it. In the package a game is entered in ``catalog`` and its rules in ``rulebook``; tests/test_layers.py names it.

Strategies are *sides*: a lineup says which side sits in which seat, and a deal is played once for each lineup. All plays of a
deal together are one *unit*: a pair where two sides exchange seats.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.errors import InputError, NoMoveError, StrategyError, said
from ginsim.games.families import Repertoire
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.measures import Measure

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "BLOCK", "GAMES", "GAME_TALLY", "HANDS", "HEAD", "LATER_GAME_SUMS", "Game", "Session", "as_dict", "game_sums", "hand_sums",
    "head_sums", "stacked", "unit_sums",
]  # fmt: skip

BLOCK = 8192
"""Deals played in one call: so many that it costs little to make, so few that an interrupt does not wait."""
HANDS, GAMES = "hands", "games"

HEAD = (
    "pairs", "points", "points_sq", "single_sq", "won", "won_sq", "decided", "decided_sq", "won_decided",
    "starter", "starter_sq", "starter_decided",
)  # fmt: skip
"""Sums over units that are kept for the hands of every game, from the first side's point of view.

points: of the first side; ``_sq`` sums of squares of a unit's totals; single_sq: squares of single plays. won: hands won by the
first side; decided: hands with a winner; won_decided: products. starter: hands won by the starter.
"""
GAME_TALLY = (
    "pairs", "won", "won_sq", "decided", "decided_sq", "won_decided",
    "margin", "margin_sq", "hands", "scored", "shutout_0", "shutout_1", "unfinished", "hands_sq",
)  # fmt: skip
"""Sums over units of games; margins and wins from the first side; shutout_p: won by side p; unfinished: without a winner;
hands_sq: squares of a unit's hands, which older results lack (``LATER_GAME_SUMS``)."""
LATER_GAME_SUMS = frozenset({"hands_sq"})
"""Sums over games that older results may lack: what needs them is unknown there."""

Watch = Callable[[np.ndarray, Any], None]
"""Called with the table and the decisions of all players, which it may replace; the hands are interpreted then."""


class Session(ABC):
    """A table at which deals of one phase are played and counted.

    Attributes
    ----------
    players : tuple of Strategy
        The sides, as they play under the rules (`Strategy.under`).
    lineups : int64[plays, seats]
        Which side sits where, in each play of a deal.
    form : {'numbers', 'slots', 'python'}
        How the decisions are called.
    t : int64 array
        Everything that a hand needs.
    records : int64[rows, columns]
        Filled a block at a time, a row for each play.
    most : int
        Deals in a block, at most.
    """

    def __init__(
        self, players: Sequence[Strategy], rules: Any, seed: int, phase: str, lineups: np.ndarray, most: int = BLOCK,
        extra: str = "", watch: Watch | None = None, interpreted: bool = False,
    ) -> None:  # fmt: skip
        self.rules, self.seed, self.phase = rules, seed, phase
        self.players = tuple(player.under(rules) for player in players)
        self.lineups, self.extra, self.most = lineups, extra, min(max(most, 1), BLOCK)
        self.form = "python" if watch or interpreted else form_of(self.players)
        self.t = self.new_table()
        self.records = np.zeros((len(lineups) * self.most, len(self.columns)), np.int64)
        self.params, self.slots = self.seated()
        if watch:
            watch(self.t, self.slots)
        self._unchanged = self.params.tobytes()
        self.prepare()

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of a record; one is ``error``."""

    @abstractmethod
    def new_table(self) -> np.ndarray:
        """The table, ready for the rules."""

    @abstractmethod
    def seated(self) -> tuple[np.ndarray, Any]:
        """Parameters (float64[sides, 80 or more]) and decisions of the sides, in the form that is called."""

    def prepare(self) -> None:  # noqa: B027 - a game may have nothing to prepare
        """Make ready what counting needs."""

    @abstractmethod
    def run(self, first: int, count: int) -> int:
        """Play deals (or games) ``first`` … into ``records``; the rows written, the last of which may have failed."""

    @abstractmethod
    def count(self, records: np.ndarray) -> None:
        """Add the records of whole units to ``sums``."""

    @property
    @abstractmethod
    def sums(self) -> np.ndarray:
        """What was counted, int64, with the names ``Game.hand_tally`` or ``GAME_TALLY``; then those of ``extra``."""

    def kept(self, records: np.ndarray) -> np.ndarray:
        """A copy of records, with what is beside them."""
        return records.copy()

    @abstractmethod
    def illegal(self) -> StrategyError:
        """What was wrong with the decision that the last record reports."""

    @abstractmethod
    def situation(self, view: np.ndarray) -> str:
        """What a player was asked about, and where to find it again."""

    @property
    @abstractmethod
    def deal(self) -> int:
        """Index of the deal (or game) being played."""

    def play(self, first: int, count: int) -> np.ndarray:
        """Play a block of deals (or games): the records, a row a play, valid until the next block.

        Raises
        ------
        StrategyError
            If a decision is illegal or fails; names the strategy, the decision, the situation and the deal.
        """
        try:
            rows = self.run(first, count)
        except (StrategyError, KeyboardInterrupt):
            raise
        except BaseException:
            self._find_culprit(first, count)
            raise
        if self.records[rows - 1, self.columns.index("error")]:
            raise self.illegal()
        if self.params.tobytes() != self._unchanged:
            names = " or ".join(dict.fromkeys(map(str, self.players)))
            raise StrategyError(f"strategy {names}: a decision wrote to params, which it may only read")
        return self.records[:rows]

    def blocks(self, first: int, count: int) -> Iterator[np.ndarray]:
        """Play deals ``first`` … ``first + count - 1`` block after block."""
        for at in range(first, first + count, self.most):
            yield self.play(at, min(self.most, first + count - at))

    def _find_culprit(self, first: int, count: int) -> None:
        """After an exception in compiled code: play its deal again, interpreted, to say whose decision raised it."""
        if self.form == "python":
            return
        for start, deals in ((self.deal, 1), (first, count)):
            again = type(self)(self.players, self.rules, self.seed, self.phase, self.lineups, count, self.extra, interpreted=True)
            again.run(start, deals)

    def guarded(self, strategy: Strategy) -> list[Callable[..., int]]:
        """The decisions (interpreted) of a player, whose own exceptions are told as errors of the strategy."""
        return [self._guarded(strategy, i) for i in range(len(strategy.decisions))]

    def _guarded(self, strategy: Strategy, i: int) -> Callable[..., int]:
        function = strategy.decisions[i]

        def decide(view: np.ndarray, params: np.ndarray) -> int:
            try:
                return int(function(view, params))
            except KeyboardInterrupt:
                raise
            except NoMoveError as answer:
                raise self.refused(strategy, i, str(answer), view) from None
            except BaseException as error:
                kind = strategy.repertoire.kinds[i]
                what = f"strategy {strategy}: the {kind} decision raised {type(error).__name__}: {said(error)}"
                raise StrategyError(f"{what}; {self.situation(view)}") from error

        return decide

    def refused(self, strategy: Any, i: int, answer: str, view: np.ndarray) -> StrategyError:
        """The error for an answer to decision ``i`` that is no legal move."""
        repertoire = self.players[0].repertoire
        kind = repertoire.kinds[i]
        what = f"illegal {kind} decision {answer} (expected {repertoire.asked[kind]})"
        return StrategyError(f"strategy {strategy}: {what}; {self.situation(view)}")


def stacked(players: Sequence[Strategy]) -> np.ndarray:
    """The parameters of players, a row each, as long as the longest: float64[players, 80 or more]."""
    arrays = [player.array for player in players]
    found = np.zeros((len(arrays), max(map(len, arrays))))
    for row, own in zip(found, arrays, strict=True):
        row[: len(own)] = own
    return found


def form_of(players: Sequence[Strategy]) -> str:
    """The form of the kernels that serves all players."""
    kinds = {player.kind for player in players}
    return "python" if "python" in kinds else "numbers" if kinds == {"numbers"} else "slots"


class Game(ABC):
    """A game: its rules, its players, and what its records say."""

    rules: type[RulesModel]
    repertoire: Repertoire
    session: type[Session]
    plain_player: str
    """A strategy that plays where none is named."""
    hand_columns: tuple[str, ...]
    """Columns of a hand's record; among them deal, play, ending, winner, turns and error."""
    game_columns: tuple[str, ...]
    """Columns of a game's record; among them game, play, winner, hands, scored, unfinished and error."""
    endings: tuple[str, ...]
    """How a hand may end; the column ``ending`` holds the position in this tuple."""
    nobody: frozenset[str]
    """Endings without a winner."""
    endings_shown: Mapping[str, tuple[str, ...]]
    """Endings as statistics show them: one word for one or more of them."""
    most_gain: int = 256
    """Points to the winner of a hand from which on all are counted together."""
    turn_tables: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    """Tables of counts of turns and their shapes, where every turn can be looked at."""
    measures: Mapping[str, Measure]
    """What is measured of every hand, to see what rules change."""
    game_measures: Mapping[str, Measure]
    """What is measured of every game: ``hands_per_game`` and ``game_points``."""
    parts: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Measures of the further tables of an effect: ``endings``, ``counts`` and ``seats``."""
    shown: tuple[str, ...] = ()
    """Measures whose sums are kept of compared hands as well, and shown."""
    effect_sums: tuple[str, ...] = ()
    """Sums kept of measures x under one of several rules: x, x_sq, x_difference_sq (from the base), x_x_y, x_x_base_y."""
    later_sums: tuple[str, ...] = ()
    """Sums over hands that older results lack; they are taken to be 0."""
    alone: bool = False
    """Whether rules are compared at tables of one strategy, each deal played once, and not in pairings of the strategies."""
    extras: frozenset[str] = frozenset()
    """What else there is: ``luck`` (control variates), ``turns`` (statistics by turn), ``odds`` (by score), ``sightings``,
    ``pictures`` (of hands), and ``courses`` (hands without knocks)."""

    @property
    def name(self) -> str:
        """The name that its rules give it."""
        return self.rules.GAME

    @property
    def title(self) -> str:
        """The name in words."""
        return self.rules.TITLE

    def seats(self, rules: Any) -> int:
        """Seats at a table."""
        return 2

    def width(self, rules: Any) -> int:
        """Columns of a lineup: the seats, or more if the engine needs them."""
        return self.seats(rules)

    @property
    def hand_tally(self) -> tuple[str, ...]:
        """Names of the sums over hands: ``HEAD``, then turns, then hands and points by ending and winning side."""
        by_side = [f"{ending}{what}_{side}" for what in ("", "_points") for ending in self.endings for side in (0, 1)]
        return (*HEAD, "turns", "turns_sq", *by_side, *(f"{ending}_sq" for ending in self.endings))

    def with_later_sums(self, sums: dict[str, int]) -> dict[str, int]:
        """Sums over hands that an older version kept, with those that came later."""
        return dict.fromkeys(self.later_sums, 0) | sums

    @abstractmethod
    def scores(self, records: np.ndarray, lineups: np.ndarray, sides: int) -> np.ndarray:
        """Points of each side in each play of a hand, int64[rows, sides]."""

    @abstractmethod
    def winners(self, records: np.ndarray, lineups: np.ndarray) -> np.ndarray:
        """The side that won each play of a hand, -1 for nobody, int64[rows]."""

    def game_winners(self, records: np.ndarray, lineups: np.ndarray) -> np.ndarray:
        """The side that won each play of a game, -1 for nobody, int64[rows]; where the record's winner is a side already."""
        found: np.ndarray = records[:, self.game_columns.index("winner")]
        return found

    @abstractmethod
    def starter_won(self, records: np.ndarray) -> np.ndarray:
        """Whether the player who started won, bool[rows]."""

    @abstractmethod
    def margins(self, records: np.ndarray, lineups: np.ndarray, sides: int) -> np.ndarray:
        """By how much each side is ahead in each play of a game, int64[rows, sides]."""

    @abstractmethod
    def measure(self, records: np.ndarray, lineups: np.ndarray, rules: Any) -> np.ndarray:
        """What is measured of hands, summed over the plays of each unit: int64[units, measures], in the order of ``measured``."""

    @property
    def headline(self) -> tuple[str, ...]:
        """Measures that the verdict on rules mentions."""
        return tuple(self.measures)[:1]

    @property
    def foremost(self) -> tuple[str, ...]:
        """Measures of an effect that are shown unless others are asked for."""
        return tuple(self.measures)[:6]

    @property
    def effects(self) -> Mapping[str, Measure]:
        """All that rules may change."""
        return {**self.measures, **self.game_measures}

    @property
    def measured(self) -> tuple[str, ...]:
        """Names of the columns of `measure`: the measures, and the denominators of their ratios."""
        return tuple(self.measures)

    def gains(self, records: np.ndarray) -> np.ndarray:
        """Points that the winner of each play of a hand scored, int64[rows]."""
        lineups = np.arange(2)[None, :]
        return np.asarray(self.scores(records, lineups, 2).max(axis=1))

    def game_measure(self, records: np.ndarray, lineups: np.ndarray) -> np.ndarray:
        """Hands in a game and points it was won by, summed over the plays of each unit: int64[units, 2]."""
        hands = records[:, self.game_columns.index("hands")]
        ahead = np.abs(self.margins(records, lineups, 2)).max(axis=1)
        return unit_sums(np.stack([hands, ahead], axis=1), len(lineups))

    def sum_of(self, measure: str) -> str:
        """Name of the sum of a measure among those of compared hands."""
        return measure

    aim: Measure = Measure("points per hand", "points", signed=True, decimals=3)
    """What strategies are tuned for."""

    def aimed(self, records: np.ndarray, lineups: np.ndarray, rules: Any) -> np.ndarray:
        """What the aim of the first side is computed from: an int64 array that adds up over hands."""
        hands = len(records) * self.seats(rules) // len(lineups)
        return np.array([self.scores(records, lineups, 2)[:, 0].sum(), hands])

    def aim_of(self, sums: np.ndarray, rules: Any) -> float:
        """The aim, from what `aimed` added up to."""
        return float(sums[0] / sums[1])

    @abstractmethod
    def most_points(self, rules: Any) -> int:
        """No unit brings a side more points per hand and seat than that."""

    def has(self, extra: str, rules: Any, what: str) -> None:
        """Refuse what the game does not have.

        Raises
        ------
        InputError
            Naming the rules and ``what`` is missing.
        """
        if extra not in self.extras:
            raise InputError(f"rules: {rules} is {self.title}, {what}")

    # --- one hand, and one position ---------------------------------------------------------------------------------------

    def replay(self, players: Sequence[Strategy], rules: Any, seed: int, deal: int, play: int) -> Any:
        """Play one hand again, move by move."""
        raise InputError(f"rules: {rules} is {self.title}, whose hands cannot be replayed")

    def advise(self, rules: Any, **moment: Any) -> Any:
        """Rank what may be done in a position."""
        raise InputError(f"rules: {rules} is {self.title}, for which there is no advice")

    def frame(self, records: np.ndarray, phase: str = HANDS) -> pd.DataFrame:
        """Hand (or game) records as a frame: small integer columns, the ending as a category; -1 is nobody."""
        import pandas as pd

        names = self.hand_columns if phase == HANDS else self.game_columns
        unseen = ("error", "error_seat", "answer")
        table = pd.DataFrame({name: records[:, i] for i, name in enumerate(names) if name not in unseen})
        table = table.astype({name: "int16" for name in table.columns if name not in ("deal", "game", "margin")})
        if phase == HANDS:
            table["ending"] = pd.Categorical.from_codes(records[:, names.index("ending")], categories=pd.Index(self.endings))
        return table


def as_dict(names: Sequence[str], tally: np.ndarray) -> dict[str, int]:
    """A tally by name, as Python integers."""
    return {name: int(value) for name, value in zip(names, tally, strict=True)}


def unit_sums(rows: np.ndarray, plays: int) -> np.ndarray:
    """Sums over the plays of each unit: int64[units, …] from int64[units * plays, …]."""
    found: np.ndarray = rows[::plays].copy()
    for play in range(1, plays):
        found += rows[play::plays]
    return found


def head_sums(game: Game, records: np.ndarray, lineups: np.ndarray, sides: int) -> np.ndarray:
    """The sums ``HEAD`` of hand records, for games without a compiled count of their own."""
    plays = len(lineups)
    single = game.scores(records, lineups, sides)[:, 0]
    winners = game.winners(records, lineups)
    rows = np.stack([single, winners == 0, winners >= 0, game.starter_won(records)], axis=1).astype(np.int64)
    points, won, decided, starter = unit_sums(rows, plays).T
    sums = [len(points), points.sum(), points @ points, single @ single]
    sums += [won.sum(), won @ won, decided.sum(), decided @ decided, won @ decided]
    return np.array([*sums, starter.sum(), starter @ starter, starter @ decided])


def hand_sums(game: Game, records: np.ndarray, lineups: np.ndarray, sides: int) -> np.ndarray:
    """The sums ``Game.hand_tally`` as it is by default."""
    plays, ending = len(lineups), records[:, game.hand_columns.index("ending")]
    side = np.maximum(game.winners(records, lineups), 0)
    gains = game.scores(records, lineups, sides).max(axis=1)
    turns = unit_sums(records[:, game.hand_columns.index("turns")], plays)
    hands, points = (
        np.bincount(2 * ending + np.minimum(side, 1), weights, minlength=2 * len(game.endings)) for weights in (None, gains)
    )
    ended = unit_sums((ending[:, None] == np.arange(len(game.endings))).astype(np.int64), plays)
    head = head_sums(game, records, lineups, sides)
    found: np.ndarray = np.concatenate((head, [turns.sum(), turns @ turns], hands, points, (ended**2).sum(axis=0)))
    return found.astype(np.int64)


def game_sums(game: Game, records: np.ndarray, lineups: np.ndarray, sides: int) -> np.ndarray:
    """The sums ``GAME_TALLY`` of game records, for games without a compiled count of their own."""
    column = {name: records[:, i] for i, name in enumerate(game.game_columns)}
    winner = column["winner"]
    rows = np.stack([winner == 0, winner >= 0, game.margins(records, lineups, sides)[:, 0]], axis=1).astype(np.int64)
    won, decided, margin = unit_sums(rows, len(lineups)).T
    hands = unit_sums(column["hands"], len(lineups))
    pairs = [len(won), won.sum(), won @ won, decided.sum(), decided @ decided, won @ decided, margin.sum(), margin @ margin]
    return np.array([*pairs, hands.sum(), column["scored"].sum(), 0, 0, column["unfinished"].sum(), hands @ hands])
