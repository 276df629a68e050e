"""The way of a player that learns: games that branch, a fit, a better player, and so on.

What is played in an iteration is a function of the seed and of the player so far, so that a training that was interrupted goes on
as if nothing had happened, and the same seed trains the same player again.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ginsim.deals import MOST_SEED
from ginsim.errors import InputError, check_count, listed, shown
from ginsim.experiment.alone import alone, made_folder
from ginsim.files import expanded, no_link, path_of, read_own, write_whole
from ginsim.games.catalog import game_of
from ginsim.games.gin.learned.layout import COST, NET, NETS, SKIP
from ginsim.games.gin.learned.weights import THEN, read_nets, weights_bytes
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import Estimate
from ginsim.simulation.execute import Progress
from ginsim.simulation.play import check_workers
from ginsim.specs import format_spec
from ginsim.study.compare import compare
from ginsim.study.kept import KeptState, kept_state
from ginsim.training.data import ROOM, Branches, branch, joined
from ginsim.training.fit import EPOCHS, check_installed, fit

__all__ = ["ITSELF", "Iteration", "Trained", "apart", "digest_of", "second_style", "steps_text", "train", "with_weights"]

WON = game_of("eaai").aim
"""How games won are written."""
STATE, WEIGHTS, BRANCHES = "training.json", "weights.npz", "branches"
ITSELF = "itself"
"""An opponent: the player as it was after the iteration before."""
JUDGE = 1_000_003
"""What the seed of a training and that of its judging are apart."""
MOST_ITERATIONS = 1000
PIECES_APART, AGAINST_APART = 10_000, 500
"""How far the numbers of the pieces of two iterations, and of two opponents, are apart."""


MOST_SECONDS = 60.0 * 60 * 24 * 30
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Iteration(BaseModel):
    """A step of a training: rows that the nets were fitted to, and games won afterwards with their interval, by opponent."""

    model_config = ConfigDict(extra="forbid", strict=True)

    rows: Annotated[int, Field(ge=0)]
    seconds: Annotated[float, Field(ge=0, le=MOST_SECONDS, allow_inf_nan=False)]
    won: dict[str, Annotated[list[Share], Field(min_length=3, max_length=3)]]


class State(KeptState):
    """What a training goes on from: iterations, the SHA-256 of the weights that each left, and seconds spent on the next one.

    ``fitted`` is the SHA-256 of the weights of the next one, where they are fitted but not judged yet.
    """

    iterations: list[Iteration]
    weights: list[str] = Field(default_factory=list)
    spent: Annotated[float, Field(ge=0, le=MOST_SECONDS, allow_inf_nan=False)] = 0.0
    fitted: str = ""


@dataclass(frozen=True)
class Trained:
    """The outcome of `train`.

    Attributes
    ----------
    rules, start : str
        What was played, and who the player was at first.
    against : tuple of str
        Specs of the opponents; ``itself`` may be one.
    iterations : tuple of Iteration
    folder : Path
        Where the weights lie.
    pairs : int
        Pairs of games that each iteration was judged by, against each opponent, on deals that it was not trained on.
    """

    rules: str
    start: str
    against: tuple[str, ...]
    iterations: tuple[Iteration, ...]
    folder: Path
    pairs: int

    @property
    def strategy(self) -> Strategy:
        """The player that came out."""
        return with_weights(self.folder / WEIGHTS)

    @property
    def seconds(self) -> float:
        """Time of all iterations."""
        return sum(iteration.seconds for iteration in self.iterations)

    def won(self, opponent: str, iteration: int = -1) -> Estimate:
        """Share of the games won against an opponent after an iteration."""
        value, low, high = self.iterations[iteration].won[opponent]
        return Estimate(value, low, high, (high - low) / (2 * 1.96))

    def __str__(self) -> str:
        won = ", ".join(f"{opponent} {WON.text(self.won(opponent))}" for opponent in self.iterations[-1].won)
        after = f"After {steps_text(len(self.iterations))} ({self.seconds / 60:.1f} min)"
        return f"{after} under {self.rules} the player wins of its games against: {won}."


class _Course:
    """One training, with its folder."""

    def __init__(
        self, rules: Rules, against: Sequence[str], start: Strategy, folder: Path, workers: int | None, progress: Progress | None,
        **numbers: int,
    ) -> None:  # fmt: skip
        self.rules, self.against, self.folder, self.workers = rules, tuple(against), folder, workers
        self.progress: Progress = progress or (lambda done, now, total: None)
        self.rows, self.games, self.seed = (numbers[name] for name in ("rows", "games", "seed"))
        self.start = start
        self.study = {"rules": str(rules), "against": list(against), "start": str(start)} | numbers | _files(start, against)
        if (kept := _load(folder, self.study)) is None:
            shutil.rmtree(no_link(folder / BRANCHES), ignore_errors=True)  # whoever played them, it was not this training
        self.iterations, self.spent, self.fitted = (kept.iterations, kept.spent, kept.fitted) if kept else ([], 0.0, "")
        self.digests: list[str] = []
        self.keep()
        self.prior = prior(folder)

    def player(self, iteration: int) -> Strategy:
        """Who plays in an iteration."""
        return self.start if iteration == 0 else with_weights(self._weights(iteration - 1))

    def _weights(self, iteration: int) -> Path:
        return _weights_after(self.folder, iteration)

    def branches(self, iteration: int, number: int) -> Branches:
        """The decisions of an iteration against an opponent; what is not kept is played now."""
        place = no_link(self.folder / BRANCHES) / f"{iteration + 1:02d}_{number + 1}"
        made_folder("folder", no_link(place))
        player, opponent = self.player(iteration), self.against[number]
        other = player if opponent == ITSELF else Strategy.parse(opponent, Rules.GAME)
        first = 1 + iteration * PIECES_APART + number * AGAINST_APART
        pieces = range(first, first + max(1, round(self.rows / ROOM / len(self.against))))
        text, rows = f"iteration {iteration + 1}: playing against {opponent}", ROOM * len(pieces)
        since = time.perf_counter()

        def played(now: int) -> None:
            nonlocal since
            self.spent, since = self.spent - since + time.perf_counter(), time.perf_counter()
            self.keep()
            self.progress(text, now, rows)

        self.progress(text, 0, rows)
        return branch(player, other, self.prior, self.rules, self.seed, pieces, self.workers, played, place)

    def step(self, iteration: int) -> Iteration:
        """Play, fit, judge."""
        data = joined([self.branches(k, number) for k in range(iteration + 1) for number in range(len(self.against))])
        begun = time.perf_counter()
        if not self.fitted:
            write_whole(self._weights(iteration), weights_bytes(self._fitted(data, iteration)))
            self.fitted = digest_of(self._weights(iteration))
            self.spent, begun = self.spent + time.perf_counter() - begun, time.perf_counter()
            self.keep()
        won = {opponent: self._judged(opponent, iteration) for opponent in self.against if opponent != ITSELF}
        seconds, self.spent, self.fitted = self.spent + time.perf_counter() - begun, 0.0, ""
        return Iteration(rows=len(data.values), seconds=seconds, won=won)

    def _fitted(self, data: Branches, iteration: int) -> dict[str, np.ndarray]:
        text, done, passes = f"iteration {iteration + 1}: fitting the nets to {len(data.values):,} choices", 0, len(NETS) * EPOCHS
        self.progress(text, done, passes)

        def passed() -> None:
            nonlocal done
            done += 1
            self.progress(text, done, passes)

        return {net: fit(data, net, self.seed + iteration, passed) for net in NETS}

    def _judged(self, opponent: str, iteration: int) -> list[float]:
        """Games won against an opponent, with the interval."""
        text, of = f"iteration {iteration + 1}: judging it against {opponent}", Strategy.parse(opponent, Rules.GAME)
        self.progress(text, 0, self.games)
        found = compare(
            self.player(iteration + 1), of, rules=self.rules, deals=2, games=self.games, seed=apart(self.seed, 1),
            workers=self.workers, progress=lambda done, now, total: self.progress(text, now, total),
        ).games_won  # fmt: skip
        return [found.value, found.low, found.high]

    def keep(self) -> None:
        """Write down what there is so far."""
        self.digests += [digest_of(self._weights(k)) for k in range(len(self.digests), len(self.iterations))]
        state = State(study=self.study, iterations=self.iterations, weights=self.digests, spent=self.spent, fitted=self.fitted)
        write_whole(self.folder / STATE, state.model_dump_json(indent=1))


def steps_text(iterations: int) -> str:
    """How many iterations, in words."""
    return f"{iterations} iteration{'s' if iterations > 1 else ''}"


def apart(seed: int, times: int) -> int:
    """A seed of which nothing is trained: the first one judges iterations, the second one what came of them."""
    return (seed + times * JUDGE) % (MOST_SEED + 1)


def prior(folder: Path) -> Strategy:
    """A learned player that only looks ahead: it tells which choices there are."""
    net = np.zeros(NET, np.float32)
    net[SKIP + COST] = -1.0
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "prior.npz"
    write_whole(path, weights_bytes(dict.fromkeys(NETS, net)))
    return with_weights(path)


def with_weights(path: Path, **more: Any) -> Strategy:
    """The learned player with the weights in a file, and other parameters."""
    return Strategy.parse(format_spec("learned", {"weights": str(path), **more}), Rules.GAME)


def _weights_after(folder: Path, iteration: int) -> Path:
    return folder / f"weights_{iteration + 1:02d}.npz"


def digest_of(path: Path) -> str:
    """The SHA-256 of weights in a file."""
    return hashlib.sha256(read_own(path)).hexdigest()


def _files(start: Strategy, against: Sequence[str]) -> dict[str, Any]:
    """The digests of the files that players are made of, if there are any."""
    players = [start, *(Strategy.parse(other, Rules.GAME) for other in against if other != ITSELF)]
    found = {str(own): own.sources for own in players if own.sources}
    return {"files": found} if found else {}


def _load(folder: Path, study: dict[str, Any]) -> State | None:
    path = folder / STATE
    kept = kept_state("train", path, State, study, "training")
    if kept is None:
        return None
    judges = set(study["against"]) - {ITSELF}
    files = [_weights_after(folder, k) for k in range(len(kept.iterations))]
    if any(set(own.won) != judges for own in kept.iterations) or not all(file.is_file() for file in files):
        raise InputError(f"train: {path} is damaged (it names iterations that are missing); remove it to start over")
    if kept.weights and len(kept.weights) != len(files):
        raise InputError(f"train: {path} is damaged (weights: not one for each iteration); remove it to start over")
    told = [*zip(files, kept.weights, strict=False)]  # earlier versions kept none
    if kept.fitted:
        told.append((_weights_after(folder, len(files)), kept.fitted))
    for file, digest in told:
        if not file.is_file() or digest_of(file) != digest:
            raise InputError(f"train: {file} is damaged (not the weights that were learned); remove {path} to start over")
    return kept


def train(
    rules: str | Rules,
    against: Sequence[str] = ("simple",),
    folder: str | Path = "trained",
    minutes: float = 10,
    iterations: int | None = None,
    start: str | Strategy = "champion",
    rows: int = 1_600_000,
    games: int = 2_500,
    seed: int = 0,
    workers: int | None = None,
    report: Callable[[str], None] | None = None,
    then: str | None = None,
    progress: Progress | None = None,
) -> Trained:
    """Train a player for winning games, from hands played to their end.

    At some of its decisions the true state is copied and each choice is played out; nets are fitted to what that came to, and the
    player that follows them plays the next iteration.

    Parameters
    ----------
    rules : str or Rules
    against : specs of the opponents
        ``itself`` is the player as it was after the iteration before.
    folder : path
        All is kept there: what was played, the weights after each iteration (``weights_01.npz``, …) and at last
        ``weights.npz``. The same call goes on from it. What was played is removed at the end; if the same training is to
        have more iterations after all, it is played again.
    minutes, iterations
        Stop after the iteration in which that time is up, or after that many iterations, whichever comes first.
    start : str or Strategy
        Who plays in the first iteration.
    rows : int
        Choices played out in each iteration.
    games : int
        Pairs of games by which each iteration is judged, against each opponent.
    seed : int
        The same seed trains the same player, if the iterations are as many.
    workers : int, optional
    report : function of a text, optional
        Told what is done.
    then : str, optional
        Other weights, by name or path: what comes out plays by them for the rest of a game once the opponent has knocked, gin
        apart, on an own turn from the fourth on.
    progress : function, optional
        Called with what is being done (a text), how far it is, and how far it goes.

    Returns
    -------
    Trained

    Raises
    ------
    InputError
        If JAX and optax are not installed, and for settings that are not allowed.
    """
    check_installed()
    second = {} if then is None else second_style(then)
    played = Rules.parse(rules)
    if played.hollywood:
        raise InputError("rules: no player can be trained for Hollywood, whose games are not won by one score")
    with named("start"):
        begins = Strategy.parse(start, Rules.GAME)
    others = [_opponent(spec) for spec in listed("against", against, "opponents")]
    if not set(others) - {ITSELF} or len(set(others)) < len(others):
        raise InputError(f"against: {shown(list(against))} is not allowed; give opponents, each once (not only {ITSELF})")
    given: Any = minutes
    if not isinstance(given, int | float) or given is True or not 0 < given <= MOST_SECONDS / 60:
        raise InputError(f"minutes: {shown(minutes)} is not allowed; give a number above 0")
    check_workers(workers)
    limit = check_count("iterations", iterations, 1, MOST_ITERATIONS) if iterations is not None else MOST_ITERATIONS
    rows = check_count("rows", rows, 2 * ROOM, AGAINST_APART * ROOM)
    games, seed = check_count("games", games, 100, 1_000_000), check_count("seed", seed, 0, MOST_SEED)
    with alone(made_folder("folder", expanded(path_of("folder", folder)))) as own:
        course = _Course(played, others, begins, own, workers, progress, rows=rows, games=games, seed=seed)
        _carry_out(course, limit, 60.0 * minutes, report or (lambda text: None))
        last = own / f"weights_{len(course.iterations):02d}.npz"
        nets = read_nets(str(last))[0] | {THEN + net: second[net] for net in NETS if second}
        write_whole(own / WEIGHTS, weights_bytes(nets))
        shutil.rmtree(own / BRANCHES, ignore_errors=True)
    return Trained(str(played), str(begins), tuple(others), tuple(course.iterations), course.folder, games)


def _carry_out(course: _Course, limit: int, seconds: float, say: Callable[[str], None]) -> None:
    """One iteration after the other, until there are enough or the time is up."""
    if course.iterations:
        say(f"going on after {steps_text(len(course.iterations))}")
    while len(course.iterations) < limit and (not course.iterations or _spent(course) < seconds):
        course.iterations.append(course.step(len(course.iterations)))
        course.keep()
        won = ", ".join(f"{name} {100 * of[0]:.1f} %" for name, of in course.iterations[-1].won.items())
        say(f"iteration {len(course.iterations)}: won {won}, {_spent(course) / 60:.1f} min")


def _spent(course: _Course) -> float:
    return sum(iteration.seconds for iteration in course.iterations)


def second_style(then: Any) -> dict[str, np.ndarray]:
    """The nets of weights that are given by name or path."""
    if not isinstance(then, str) or not then.strip():
        raise InputError(f"then: {shown(then)} is not allowed; give the name of shipped weights or the path of a file")
    with named("then"):
        return read_nets(then)[0]


@contextmanager
def named(field: str) -> Iterator[None]:
    """Let what is wrong with a value name the field that it was given for."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{field}: {error}") from None


def _opponent(spec: str) -> str:
    with named("against"):
        return ITSELF if spec == ITSELF else str(Strategy.parse(spec, Rules.GAME))


