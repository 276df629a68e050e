"""Tuning the parameters of a strategy: CMA-ES on common deals, racing, and a held-out check.

The aim is the game's own (``Game.aim``): the chance to win a game of gin, computed from the results of single hands
(``ginsim.games.gin.odds``), which is far less noisy than games played; points per hand at a table. In a generation all candidates
play the same deals, and the next generation plays others; after a first heat only the better half plays on. The outcome is judged
on deals that no candidate ever saw.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field, FiniteFloat

from ginsim.deals import MOST_SEED
from ginsim.errors import InputError, check_count, suggest
from ginsim.files import append_text, write_whole
from ginsim.games.base import HANDS
from ginsim.games.catalog import Strategy, game_of, rules_of
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import players_of
from ginsim.inference.estimates import Estimate, from_mean
from ginsim.simulation.hands import empty_folder
from ginsim.simulation.play import Work, run
from ginsim.specs import Value
from ginsim.study.kept import KeptState, kept_state

STATE, HISTORY, RESULT = "state.json", "history.jsonl", "tuned.json"
HELD_OUT = 1 << 36  # deals from here on are for the check only
BATCHES = 20  # of held-out deals, for the interval


@dataclass(frozen=True)
class Knob:
    """A number that is tuned: the parameter, its position in a list (-1: not a list), its range and first step."""

    name: str
    position: int
    low: float
    high: float
    step: float


@dataclass(frozen=True)
class Tuned:
    """The outcome of `tune`: the strategy, what it comes to on held-out deals in the aim, and the same for the start."""

    start: str
    strategy: str
    against: tuple[str, ...]
    rules: str
    aim: str
    held_out: Estimate
    start_held_out: Estimate
    generations: int
    seconds: float

    def __str__(self) -> str:
        measure = game_of(self.rules).aim
        return (
            f"{self.strategy}\n{self.aim}: {measure.text(self.held_out)} against {', '.join(self.against)} under {self.rules} on "
            f"held-out deals; for the start, {self.start}: {measure.text(self.start_held_out)}."
        )


def knobs_of(spec: Strategy, only: Sequence[str] | None = None) -> tuple[list[Knob], list[float]]:
    """What can be tuned in a shipped strategy, and the values to start from."""
    families = spec.repertoire.families
    family = families.get(spec.name)
    if family is None:
        raise InputError(f"tune: {spec} is not a shipped strategy; families are {', '.join(families)}")
    used = {param.name: param for decision in family.decisions(spec.args) for param in decision.params}
    open_params = {name: param for name, param in used.items() if name not in dict(family.fixed)}
    for name in only or ():
        if name not in open_params:
            raise InputError(f"tune: {spec.name} has no parameter {name!r} here; {suggest(name, open_params)}")
    knobs, values = [], []
    for name, param in open_params.items():
        if only and name not in only:
            continue
        value = spec.args.get(name, family.default(param))
        for position, number in enumerate(value if isinstance(value, list) else [value]):
            x = float(number)  # type: ignore[arg-type]
            step = max(0.3 * abs(x), 0.01 * min(param.high - param.low, 20))
            knobs.append(Knob(name, position if isinstance(value, list) else -1, param.low, param.high, step))
            values.append(x)
    if not knobs:
        raise InputError(f"tune: {spec} has no parameter to tune")
    return knobs, values


def with_values(spec: Strategy, knobs: Sequence[Knob], values: Sequence[float]) -> Strategy:
    """The strategy with its knobs set, each within its range and rounded to four digits."""
    args: dict[str, Value] = dict(spec.args)
    lists: dict[str, list[Any]] = {}
    for knob, value in zip(knobs, values, strict=True):
        number = float(f"{min(max(value, knob.low), knob.high):.4g}")
        if knob.position < 0:
            args[knob.name] = number
        else:
            lists.setdefault(knob.name, []).append(number)
    return Strategy.parse(str(Strategy(spec.name, args | lists)))


class Objective:
    """What is aimed at, mean over the opponents, from hands played on given deals."""

    def __init__(self, against: Sequence[Strategy], rules: RulesModel, seed: int, workers: int | None) -> None:
        self.against, self.rules, self.seed, self.workers = against, rules, seed, workers
        self.game = game_of(rules)

    def counts(self, players: Sequence[Strategy], first: int, deals: int) -> list[list[np.ndarray]]:
        """What the hands of each player against each opponent add up to."""
        out: dict[tuple[int, int], Any] = {}
        works = [
            Work((player, opponent), self.rules, self.seed, HANDS, first, deals, f"{i}-{j}")
            for i, player in enumerate(players)
            for j, opponent in enumerate(self.against)
        ]
        for done in run(works, self.workers, keep=True, chunk=max(deals // 4, 1)):
            at: Any = tuple(map(int, done.work.key.split("-")))
            assert done.records is not None
            out[at] = out.get(at, 0) + self.game.aimed(done.records, done.work.lineups, self.rules)
        return [[out[i, j] for j in range(len(self.against))] for i in range(len(players))]

    def value(self, counts: Sequence[np.ndarray]) -> float:
        """Mean over the opponents."""
        return float(np.mean([self.game.aim_of(own, self.rules) for own in counts]))

    def estimate(self, player: Strategy, deals: int) -> Estimate:
        """On held-out deals; the interval is from leaving out one batch after the other (jackknife)."""
        size = deals // BATCHES
        batches = [np.array(self.counts([player], HELD_OUT + batch * size, size)[0]) for batch in range(BATCHES)]
        total = np.sum(batches, axis=0)
        without = [self.value(list(total - counts)) for counts in batches]
        return from_mean(self.value(list(total)), float(np.std(without)) * math.sqrt(BATCHES - 1), BATCHES)


def tune(
    strategy: str | Strategy,
    against: Sequence[str | Strategy],
    rules: str | RulesModel = "eaai",
    minutes: float = 15,
    generations: int | None = None,
    deals: int = 4_000,
    held_out: int = 40_000,
    only: Sequence[str] | None = None,
    step: float = 1.0,
    folder: str | Path | None = None,
    seed: int = 0,
    workers: int | None = None,
    report: Callable[[str], None] | None = None,
) -> Tuned:
    """Tune the parameters of a shipped strategy for winning games, or for points at a table.

    Parameters
    ----------
    strategy : str or Strategy
        Where to start; all its numeric parameters are tuned, or those named in ``only``.
    against : specs of the opponents; the aim is the mean over them.
    minutes, generations
        Stop after that time or that many generations, whichever comes first.
    deals : int
        Duplicate pairs in the first heat of a generation against each opponent; the better half plays as many again.
    held_out : int
        Duplicate pairs for the check at the end, against each opponent.
    step : float
        Width of the first generation, 1 being three tenths of each value: less refines what is tuned already.
    folder : path, optional
        The state is kept there after each generation; the same call resumes from there.

    Returns
    -------
    Tuned
    """
    try:
        import cma
    except ImportError:
        raise InputError("tune: it needs the package cma; pip install '.[tune]'") from None
    played = rules_of(rules)
    start, opponents = Strategy.parse(strategy, played.GAME), players_of("against", against, played.GAME)
    if not 0 < minutes <= 60 * 24 * 30:
        raise InputError(f"minutes: {minutes!r} is not allowed; give a number above 0")
    if not 0 < step <= 10:
        raise InputError(f"step: {step!r} is not allowed; give a number above 0, up to 10")
    if generations is not None:
        check_count("generations", generations, 1, HELD_OUT)
    deals, held_out = check_count("deals", deals, 10, HELD_OUT), check_count("held_out", held_out, BATCHES, HELD_OUT)
    aim = Objective(opponents, played, check_count("seed", seed, 0, MOST_SEED), workers)
    knobs, values = knobs_of(start, only)
    steps = np.array([knob.step for knob in knobs])
    study = {"start": str(start), "against": [str(o) for o in opponents], "rules": str(played), "seed": seed, "deals": deals}
    if step != 1.0:
        study["step"] = step
    if only:
        study["only"] = sorted(set(only))
    if folder is not None:
        empty_folder("folder", folder)
    stream = np.random.RandomState(seed % (1 << 31) + 1)  # of its own: others may draw from the common one
    es = cma.CMAEvolutionStrategy(np.zeros(len(knobs)), step, {"randn": stream.randn, "seed": np.nan, "verbose": -9})
    kept = _load(folder, study)
    if kept is not None:
        _replay(Path(folder or "") / STATE, kept, es)
        if report:
            report(f"resuming after {len(kept.scores)} generations")
    all_scores, spent = (kept.scores, kept.seconds) if kept else ([], 0.0)
    generation = len(all_scores)
    begun = time.perf_counter()
    while generation < (generations or 1 << 30) and spent + time.perf_counter() - begun < 60 * minutes:
        points = es.ask()
        players = [with_values(start, knobs, np.array(values) + steps * point) for point in points]
        scores = _race(aim, players, generation * 2 * deals, deals)
        es.tell(points, [-score for score in scores])
        generation += 1
        elapsed = spent + time.perf_counter() - begun
        all_scores.append(scores)
        _keep(folder, State(study=study, scores=all_scores, mean=es.mean.tolist(), seconds=elapsed))
        if report:
            best, mean = (aim.game.aim.value_text(float(x)) for x in (max(scores), np.mean(scores)))
            report(f"generation {generation}: best {best}, mean {mean}, {elapsed / 60:.1f} min")
    tuned = with_values(start, knobs, np.array(values) + steps * es.mean)
    result = Tuned(
        str(start), str(tuned), tuple(str(o) for o in opponents), str(played), aim.game.aim.label, aim.estimate(tuned, held_out),
        aim.estimate(start, held_out), generation, spent + time.perf_counter() - begun,
    )  # fmt: skip
    if folder is not None:
        write_whole(Path(folder) / RESULT, json.dumps(_as_json(result, study), indent=2).encode())
    return result


def _race(aim: Objective, players: Sequence[Strategy], first: int, deals: int) -> list[float]:
    """Score each player; the worse half after the first heat keeps that score, less what a better half could reach."""
    heat = aim.counts(players, first, deals)
    scores = [aim.value(counts) for counts in heat]
    order = sorted(range(len(players)), key=lambda i: -scores[i])
    better = order[: (len(order) + 1) // 2]
    more = aim.counts([players[i] for i in better], first + deals, deals)
    finals = {i: aim.value([a + b for a, b in zip(heat[i], counts, strict=True)]) for i, counts in zip(better, more, strict=True)}
    floor = min(finals.values())
    return [finals.get(i, min(scores[i], floor)) for i in range(len(players))]


class State(KeptState):
    """What a tuning goes on from: the optimiser is a function of its seed and of the scores that it was told."""

    scores: list[list[FiniteFloat]]
    mean: list[FiniteFloat]
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)]


def _load(folder: str | Path | None, study: dict[str, Any]) -> State | None:
    if folder is None:
        return None
    path = Path(folder) / STATE
    if not path.exists() and path.with_suffix(".pickle").exists():
        raise InputError(f"tune: {path.with_suffix('.pickle')} is from an older version and cannot be resumed; remove it")
    return kept_state("tune", path, State, study)


def _replay(path: Path, kept: State, es: Any) -> None:
    """Bring the optimiser to where it was: it is asked and told the same again."""
    for scores in kept.scores:
        points = es.ask()
        if len(scores) != len(points):
            raise InputError(f"tune: {path} is damaged ({len(scores)} scores of {len(points)}); remove it to start over")
        es.tell(points, [-score for score in scores])
    if len(kept.mean) != len(es.mean) or not np.allclose(es.mean, kept.mean, rtol=1e-9, atol=1e-12):
        raise InputError(f"tune: {path} is damaged, or from another version of cma; remove it to start over")


def _keep(folder: str | Path | None, state: State) -> None:
    if folder is None:
        return
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / STATE, state.model_dump_json())
    last = {"generation": len(state.scores), "best": max(state.scores[-1]), "seconds": round(state.seconds, 1)}
    append_text(folder / HISTORY, json.dumps(last) + "\n")


def _as_json(result: Tuned, study: dict[str, Any]) -> dict[str, Any]:
    def interval(e: Estimate) -> dict[str, float]:
        return {"value": e.value, "low": e.low, "high": e.high}

    return study | {
        "strategy": result.strategy,
        "aim": result.aim,
        "held_out": interval(result.held_out),
        "start_held_out": interval(result.start_held_out),
        "generations": result.generations,
        "seconds": round(result.seconds, 1),
    }
