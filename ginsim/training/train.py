"""A player is trained, and what came out is judged: what it wins, what each of its nets brings, what it does otherwise."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator

from ginsim.answers import joined
from ginsim.deals import MOST_DEALS
from ginsim.errors import InputError, listed
from ginsim.files import write_whole
from ginsim.games.base import GAMES, HANDS
from ginsim.games.catalog import game_of
from ginsim.games.families import REPERTOIRES
from ginsim.games.gin.learned.layout import NETS
from ginsim.games.gin.players.presets import PRESETS
from ginsim.games.gin.rules import Rules
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import Estimate
from ginsim.simulation.execute import Progress
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Work
from ginsim.specs import parse_spec
from ginsim.study.base import MOST_LISTED, Result, Say, as_spec, register
from ginsim.study.compare import Comparison, comparison_of, works_of
from ginsim.study.kept import MANIFEST, TALLIES, Manifest, Name, Sums, check_pair, same_names
from ginsim.study.measures import COMPARED
from ginsim.study.settings import built
from ginsim.training.course import ITSELF, WEIGHTS, Iteration, Trained, apart, digest_of, second_style, steps_text, with_weights
from ginsim.training.course import train as trained_in
from ginsim.training.experiment import TrainingExperiment, carried_out_in
from ginsim.training.habits import CELLS, HabitsWork, check_habits, share_in

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["GENERAL", "PLAIN", "TRAINED", "Opponent", "TrainExperiment", "Training", "checked_opponents", "train"]

WON = COMPARED["games_won"]
TRAINED, PLAIN = "trained", "simple"
"""What the player is called in results; whose habits its own are compared with."""
GENERAL = "strong"
"""A player for any opponent, shipped: whether the trained one beats it is told."""
KNOCKS = "knock_from"
"""Parameter of the knock that stands for the net's."""


@dataclass(frozen=True)
class Training(Result):
    """The outcome of `train`.

    Attributes
    ----------
    rules, start, then : str
        What was played, who the player was at first, the weights of its second style (empty: none).
    against : tuple of str
        Specs of the opponents; ``itself`` may be one.
    seed : int
    rows : int
        Choices played out in each iteration.
    iterations : tuple of Iteration
    pairings : mapping of str to Comparison
        The player, and without each of its nets, against others, all on deals that nothing was trained on: `pairing_keys`.
    habits : mapping of str to int64[len(CELLS), len(COLUMNS)]
        What the player, and ``simple``, do against ``simple``.
    folder : Path, optional
        Where its weights lie.
    """

    TABLE = "table"

    rules: str
    start: str
    then: str
    against: tuple[str, ...]
    seed: int | tuple[int, ...]
    rows: int
    iterations: tuple[Iteration, ...]
    pairings: Mapping[str, Comparison]
    habits: Mapping[str, np.ndarray]
    folder: Path | None = field(default=None, compare=False)
    wall_seconds: float = field(default=math.nan, compare=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Training):
            return NotImplemented
        names = ("rules", "start", "then", "against", "seed", "rows", "iterations", "pairings")
        return all(getattr(self, name) == getattr(other, name) for name in names) and all(
            np.array_equal(self.habits[name], other.habits[name]) for name in self.habits
        )

    def __str__(self) -> str:
        return self.verdict()

    @property
    def strategy(self) -> Strategy:
        """The player that came out."""
        if self.folder is None:
            raise InputError("training: its weights are not there")
        return with_weights(self.folder / WEIGHTS)

    @property
    def judges(self) -> tuple[str, ...]:
        """Whom it was trained to beat."""
        return tuple(opponent for opponent in self.against if opponent != ITSELF)

    @property
    def rivals(self) -> tuple[str, ...]:
        """All whom the outcome has met."""
        return rivals_of(self.judges, self.start)

    @property
    def deals(self) -> int:
        """Pairs of hands of each pairing."""
        return next(iter(self.pairings.values())).deals

    @property
    def pairs(self) -> int:
        """Pairs of games of each pairing."""
        return next(iter(self.pairings.values())).games_tally["pairs"]

    @property
    def hand_count(self) -> int:
        """Hands played to judge it."""
        return sum(pairing.hand_count for pairing in self.pairings.values()) + 2 * self.deals * len(self.habits)

    @property
    def game_sums(self) -> list[dict[str, int]]:
        return [pairing.games_tally for pairing in self.pairings.values()]

    @property
    def seconds(self) -> float:
        """Time of all iterations."""
        return sum(iteration.seconds for iteration in self.iterations)

    def won(self, opponent: str, iteration: int) -> Estimate:
        """Share of the games won against an opponent after an iteration (from 0, or from the end)."""
        value, low, high = self.iterations[iteration].won[opponent]
        return Estimate(value, low, high, (high - low) / (2 * 1.96))

    def games_won(self, opponent: str, without: str = "") -> Estimate:
        """Share of the games that the outcome wins against one of its ``rivals``, or that it wins without one of its nets."""
        return self.pairings[_key(without or TRAINED, self.rivals.index(opponent))].games_won

    def table(self) -> pd.DataFrame:
        """A row for each opponent and player (``trained``, or without a net): games won and points a hand, with intervals."""
        import pandas as pd

        rows = []
        for key, c in self.pairings.items():
            name, _, number = key.partition("-")
            figures = (x for e in (c.games_won, c.points_per_hand) for x in (e.value, e.low, e.high))
            rows.append((self.rivals[int(number)], name if name == TRAINED else f"without the {name} net", *figures))
        names = [f"{name}{end}" for name in ("games_won", "points_per_hand") for end in ("", "_low", "_high")]
        return pd.DataFrame(rows, columns=["opponent", "player", *names])

    def course(self) -> pd.DataFrame:
        """A row for each iteration and opponent: games won then."""
        import pandas as pd

        rows = [
            (k + 1, step.rows, step.seconds, opponent, *won)
            for k, step in enumerate(self.iterations)
            for opponent, won in step.won.items()
        ]
        return pd.DataFrame(rows, columns=["iteration", "choices", "seconds", "opponent", "games_won", "low", "high"])

    def habit_table(self) -> pd.DataFrame:
        """A row for each habit, own turn and part (`ginsim.training.habits`): of how many, and how often; then of simple."""
        import pandas as pd

        rows = []
        for cell in CELLS:
            row: list[Any] = list(cell)
            for sums in self.habits.values():
                n, e = share_in(sums, cell)
                row += [n, e.value, e.low, e.high] if n else [0, math.nan, math.nan, math.nan]
            rows.append(row)
        names = [f"{name}{end}" for name in self.habits for end in ("_cases", "", "_low", "_high")]
        return pd.DataFrame(rows, columns=["habit", "turns", "part", *names])

    def verdict(self) -> str:
        """Whether the player beats the one that it began as, and what it wins of whom."""
        of = [" of its games", *[""] * (len(self.judges) - 1)]
        won = joined([f"{WON.text(self.games_won(own))}{what} against {own}" for what, own in zip(of, self.judges, strict=True)])
        head = f"After {steps_text(len(self.iterations))} ({self.seconds / 60:.1f} min) under {self.rules} the player wins {won}."
        known = [other for other in self.rivals if other in (self.start, GENERAL)]
        return " ".join((head, *(_beats(other, self.games_won(other)) for other in known)))


def _beats(other: str, e: Estimate) -> str:
    """Whether somebody is beaten, honestly."""
    if e.low > 0.5:
        return f"It beats {other}, winning {WON.text(e)} of their games."
    if e.high < 0.5:
        return f"It loses to {other}, winning {WON.text(e)} of their games."
    return f"It does not clearly beat {other}: it wins {WON.text(e)} of their games."


def rivals_of(judges: Sequence[str], start: str) -> tuple[str, ...]:
    """Whom the outcome meets: those it was trained to beat, the player it was at first, and the shipped general one."""
    return tuple(dict.fromkeys((*judges, start, GENERAL)))


def _key(name: str, number: int) -> str:
    return f"{name}-{number}"


def pairing_keys(judges: Sequence[str], start: str) -> list[str]:
    """Keys of the pairings: the player against all rivals, then without each net against those it was trained to beat."""
    rivals = rivals_of(judges, start)
    return [_key(TRAINED, k) for k in range(len(rivals))] + [_key(net, k) for net in NETS for k in range(len(judges))]


def without(net: str, path: Path) -> Strategy:
    """The player with weights in a file, one net of which champion's decision replaces."""
    word = REPERTOIRES[Rules.GAME].words[net]
    if net == "knock":
        return with_weights(path, **{word: "early", KNOCKS: parse_spec(PRESETS[0].spec).args[KNOCKS]})
    return with_weights(path, **{word: "lookahead"})


# --- the study -------------------------------------------------------------------------------------------------------------


def _read_opponent(given: Any) -> Any:
    return given if given == ITSELF else Strategy.parse(given)


Opponent = Annotated[Any, *as_spec(_read_opponent)]


def checked_opponents(value: list[Any]) -> list[Any]:
    """Each opponent once, and one by whom the player can be judged."""
    names = [str(own) for own in value]
    if again := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"{again!r} is listed twice; give each opponent once")
    if set(names) == {ITSELF}:
        raise InputError(f"give another opponent besides {ITSELF!r}, by whom the player is judged")
    return value


class TrainExperiment(TrainingExperiment):
    """A player is trained to win games under ``rules`` against opponents."""

    kind: Literal["train"] = "train"
    PLACE = "training"
    against: list[Opponent] = Field(
        ["simple"], min_length=1, max_length=MOST_LISTED, validate_default=True,
        description="specs of the opponents; 'itself' is the player as it was before",
    )
    then: str | None = Field(
        None, description="weights (a name or a file) to play by once the opponent has been seen to knock late in a game"
    )
    _trained: Trained | None = PrivateAttr(None)
    _weights: Path = PrivateAttr(Path())

    _against = field_validator("against")(checked_opponents)

    @field_validator("then")
    @classmethod
    def _then(cls, value: str | None) -> str | None:
        if value is not None:
            second_style(value)
        return value

    @property
    def judges(self) -> list[Strategy]:
        """Whom the player is trained to beat."""
        return [own for own in self.against if own != ITSELF]

    def field(self) -> Sequence[Strategy]:
        known = {str(own): own for own in (*self.judges, self.start)}
        return [known.get(spec) or Strategy.parse(spec) for spec in rivals_of(list(map(str, self.judges)), str(self.start))]

    def prepare(self, folder: Path, workers: int | None, progress: Progress | None, report: Say | None) -> None:
        self._trained = trained_in(
            str(self.rules), [str(own) for own in self.against], folder / self.PLACE, games=self.games, workers=workers,
            report=report, then=self.then, progress=progress, **self.settings(),
        )  # fmt: skip
        self._weights = folder / WEIGHTS
        write_whole(self._weights, (self._trained.folder / WEIGHTS).read_bytes())

    def _pairings(self) -> Iterator[tuple[str, Strategy, Strategy, int]]:
        """Key, player, opponent and number of each pairing: those with the same opponent are on the same deals."""
        rivals = self.field()
        for key in pairing_keys([str(own) for own in self.judges], str(self.start)):
            name, _, number = key.partition("-")
            yield key, self._player(name), rivals[int(number)], int(number)

    def _player(self, name: str) -> Strategy:
        if self._trained is None:
            return self.start
        return with_weights(self._weights) if name == TRAINED else without(name, self._weights)

    def _kept_as(self, key: str) -> str:
        """The key under which sums are kept: those of other weights are not these."""
        return key if self._trained is None else f"{key}@{digest_of(self._weights)[:8]}"

    def works(self) -> list[Work]:
        of, works = (self.rules, self.deals, self.games, apart(self.seed, 2)), list[Work]()
        for key, player, other, number in self._pairings():
            works += works_of(player, other, *of, self._kept_as(key), number)
        plain = Strategy.parse(PLAIN)
        for name, player in ((TRAINED, self._player(TRAINED)), (PLAIN, plain)):
            works.append(HabitsWork((player, plain), self.rules, apart(self.seed, 3), HANDS, 0, self.deals, self._kept_as(name)))
        return works

    def result(self, tallies: Tallies, **more: Any) -> Training:
        assert self._trained is not None
        pairings = {}
        for key, player, other, _ in self._pairings():
            found = comparison_of(tallies, player, other, self.rules, self.seed, self._kept_as(key))
            pairings[key] = replace(found, a=TRAINED)
        habits = {name: tallies.sums[self._kept_as(name), HANDS].reshape(len(CELLS), -1) for name in (TRAINED, PLAIN)}
        against = tuple(str(own) for own in self.against)
        iterations, folder = self._trained.iterations, self._weights.parent
        of_course = str(self.rules), str(self.start), self.then or "", against, self.seed, self.rows, iterations
        return Training(*of_course, pairings, habits, folder, **more)


def train(
    rules: str | RulesModel,
    against: Sequence[str | Strategy] = ("simple",),
    folder: str | Path = "trained",
    workers: int | None = None,
    progress: Progress | None = None,
    report: Say | None = None,
    **settings: Any,
) -> Training:
    """Train a player to win games, from hands played to the end, and judge the outcome.

    At some of its decisions the true state is copied and each choice is played out; nets are fitted to the results, and the
    player that follows them plays the next iteration. It is judged on deals that were not used in training.

    Parameters
    ----------
    rules : str or Rules
    against : specs of the opponents
        ``itself`` is the player as it was after the iteration before.
    folder : path
        All is kept there: ``weights.npz``, and in ``training`` what the same call goes on from.
    workers, progress
        As in `ginsim.compare`; while it trains, ``progress`` is called with texts.
    report : function of a text, optional
        Told of each iteration.
    **settings
        The fields of `TrainExperiment`: minutes, iterations, start, rows, games, deals, then, seed.

    Returns
    -------
    Training
    """
    given = listed("against", against, "opponents")
    return carried_out_in(built("train", rules=rules, against=given, **settings), folder, workers, progress, report)  # type: ignore[no-any-return]


# --- how it is kept --------------------------------------------------------------------------------------------------------


class TrainManifest(Manifest):
    """What a `Training` is rebuilt from."""

    deals: int = Field(ge=1, le=MOST_DEALS)
    against: list[Name] = Field(min_length=1)
    start: Name
    then: str
    rows: int = Field(ge=1)
    iterations: list[Iteration] = Field(min_length=1)
    weights_sha256: str = ""


class TrainSums(BaseModel):
    """Sums of the pairings, and of the habits of both players."""

    model_config = ConfigDict(strict=True, extra="forbid")

    pairings: Sums
    habits: dict[str, list[list[int]]]


def _text(t: Training) -> str:
    """The sums as the text of ``tallies.json``."""
    pairings = {key: {HANDS: dict(c.hands_tally), GAMES: dict(c.games_tally)} for key, c in t.pairings.items()}
    return json.dumps({"pairings": pairings, "habits": {name: sums.tolist() for name, sums in t.habits.items()}}, indent=1) + "\n"


def _rebuilt(folder: Path, manifest: TrainManifest, sums: TrainSums, **more: Any) -> Training:
    path, game = folder / TALLIES, game_of(manifest.played)
    judges = [own for own in manifest.against if own != ITSELF]
    keys, rivals = pairing_keys(judges, manifest.start), rivals_of(judges, manifest.start)
    same_names(path, "pairing", set(sums.pairings), set(keys))
    pairings = {}
    for key in keys:
        own = sums.pairings[key]
        check_pair(path, key, own, game)
        other = rivals[int(key.partition("-")[2])]
        pairings[key] = Comparison(TRAINED, other, str(manifest.played), manifest.seeds, own[HANDS], own[GAMES])
    check_courses(folder, manifest.iterations, judges)
    check_weights(folder / WEIGHTS, manifest.weights_sha256)
    of = str(manifest.played), manifest.start, manifest.then, tuple(manifest.against), manifest.seeds, manifest.rows
    habits = check_habits(path, sums.habits, (TRAINED, PLAIN), manifest.deals)
    return Training(*of, tuple(manifest.iterations), pairings, habits, folder if (folder / WEIGHTS).is_file() else None, **more)


def check_courses(folder: Path, iterations: Sequence[Iteration], judges: Sequence[str]) -> None:
    """Each iteration must tell of each opponent."""
    if any(set(step.won) != set(judges) for step in iterations):
        raise InputError(f"results: {folder / MANIFEST}: iterations: they are not judged by {', '.join(judges)}")


def check_weights(path: Path, digest: str) -> None:
    """Weights that are still there must be those that were judged (earlier versions kept no digest)."""
    if digest and path.is_file() and digest_of(path) != digest:
        raise InputError(f"results: {path} is damaged or was changed: its checksum is not the one in {MANIFEST}")


def told_weights(name: str, folder: Path | None) -> dict[str, str]:
    """The digest of the weights in a folder, as a manifest tells it; empty if there are none."""
    return {name: digest_of(folder / WEIGHTS)} if folder and (folder / WEIGHTS).is_file() else {}


def _facts(t: Training) -> dict[str, Any]:
    told = {"against": list(t.against), "start": t.start, "then": t.then, "rows": t.rows}
    told |= told_weights("weights_sha256", t.folder)
    return told | {"iterations": [step.model_dump() for step in t.iterations]}


register(
    "train", experiment=TrainExperiment, result=Training, text=_text, manifest=TrainManifest, sums=TrainSums, build=_rebuilt,
    facts=_facts, merges=False, against_itself=True, version=2,
)  # fmt: skip
