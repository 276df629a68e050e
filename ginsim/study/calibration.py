"""How well the chances that the opponent holds a card agree with what was held.

A watcher plays an opponent; at each of its discard decisions every unseen card has a chance by the model
(``players.opponent``), and is held or not. Cards with like chances are put together: of those that were given 20 %
one in five should have been held. Beside that, two scores tell how much the chances say: the log loss and the Brier score
(Gneiting and Raftery, JASA 2007), each against simpler models on the same cards. Cards of a hand are not independent, so all
intervals are by deal.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field, field_validator

from ginsim.deals import MOST_DEALS
from ginsim.errors import InputError, listed
from ginsim.games.base import HANDS, as_dict
from ginsim.games.gin.sightings import DEAR, MODELS, Sightings, model_of, sightings
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import Estimate, RatioSums, from_mean, share_of_pairs
from ginsim.simulation.execute import Progress
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Done, Work, play
from ginsim.study.base import MOST_LISTED, Experiment, Player, Result, carried_out, distinct, register
from ginsim.study.kept import TALLIES, Manifest, Name, same_names
from ginsim.study.settings import built

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Calibration", "CalibrationExperiment", "CalibrationSums", "calibrate"]

BINS = 20
"""Classes of chances, all of the same width."""
TURNS = 12
"""Turns that are told apart; the last stands for all later ones too."""
UNITS = 10_000
"""Sums of chances and of scores of a deal are kept in whole parts of this size, so that they add up exactly."""
CLIP = 1e-6
"""Chances nearer to 0 or 1 than this count as so far away, for the log loss."""
SCORES = ("log", "brier")
BIN_SUMS = ("deals", "cards", "predicted", "held", "held_sq", "held_cards", "cards_sq")
"""Of a class: deals with such cards, the cards, their chances added up, how many were held; over deals squares and products."""
_PARTS = ("cards", *(f"{score}_{model}" for score in SCORES for model in MODELS))
_PRODUCTS = tuple(combinations_with_replacement(range(len(_PARTS)), 2))
SCORE_SUMS = (*_PARTS, *(f"{_PARTS[i]}*{_PARTS[j]}" for i, j in _PRODUCTS))
"""Of a group of turns: cards and scores; over deals the products of every two of these."""
CLASSES = tuple(f"{k / BINS:.2f}-{(k + 1) / BINS:.2f}" for k in range(BINS))
GROUPS = ("all", *(f"turn {turn}" for turn in range(1, TURNS)), f"turn {TURNS} on")
CalibrationSums = dict[str, dict[str, dict[str, int]]]
"""Opponent -> class of chances or group of turns -> name of the sum -> sum."""


@dataclass(frozen=True)
class CalibrationWork(Work):
    """Hands of a watcher (the first player) in which the opponent's cards are noted."""

    kept_dear: float = 0.3
    reads: float = 1.0

    def carry_out(self, keep: bool = False) -> Done:
        """Play and count; the tally holds ``BIN_SUMS`` for each class, then ``SCORE_SUMS`` for each group."""
        start = time.perf_counter()
        plain = Work(self.players, self.rules, self.seed, HANDS, self.first, self.count)
        seen = sightings(lambda watch: play(plain, watch=watch), self.kept_dear, self.reads)
        deal = seen.deal - self.first
        tally = np.concatenate((_bin_sums(seen, deal, self.count).ravel(), _score_sums(seen, deal, self.count).ravel()))
        return Done(self, tally, time.perf_counter() - start)


def _by_deal(places: np.ndarray, width: int, deals: int, weights: Any = None) -> np.ndarray:
    """Sums of ``weights`` by deal and place in whole ``UNITS``, or counts: int64[deals, width]."""
    sums = np.bincount(places, weights, deals * width).reshape(deals, width)
    return sums if weights is None else np.rint(UNITS * sums).astype(np.int64)


def _bin_sums(seen: Sightings, deal: np.ndarray, deals: int) -> np.ndarray:
    chance = seen.chances[:, 0]
    places = deal * BINS + np.minimum((chance * BINS).astype(np.int64), BINS - 1)
    cards, predicted = _by_deal(places, BINS, deals), _by_deal(places, BINS, deals, chance)
    held = _by_deal(places[seen.held], BINS, deals)
    return np.stack([x.sum(0) for x in (cards > 0, cards, predicted, held, held**2, held * cards, cards**2)], axis=1)


def _score_sums(seen: Sightings, deal: np.ndarray, deals: int) -> np.ndarray:
    places = deal * TURNS + np.minimum(seen.turn, TURNS - 1)
    chances = np.clip(seen.chances, CLIP, 1 - CLIP)
    true = np.where(seen.held[:, None], chances, 1 - chances)
    scores = np.hstack((-np.log(true), (1 - true) ** 2))
    turns = [_by_deal(places, TURNS, deals), *(_by_deal(places, TURNS, deals, own) for own in scores.T)]
    by_turn = np.stack(turns, axis=2)
    parts = np.concatenate((by_turn.sum(1, keepdims=True), by_turn), axis=1)  # deal, group, part
    products = [(parts[:, :, i] * parts[:, :, j]).sum(0) for i, j in _PRODUCTS]
    return np.hstack((parts.sum(0), np.stack(products, axis=1)))


@dataclass(frozen=True)
class Calibration(Result):
    """Chances that opponents held cards, and whether they did.

    Attributes
    ----------
    watcher, opponents, rules : str
        Whose view was taken, against whom, under which rules.
    deals : int
        Duplicate pairs of hands against each opponent.
    kept_dear, reads : float
        The model's parameters, as the watcher has them.
    sums : mapping
        By opponent, then by class of chances and group of turns (``CLASSES``, ``GROUPS``).
    """

    TABLE = "table"

    watcher: str
    opponents: tuple[str, ...]
    rules: str
    seed: int | tuple[int, ...]
    deals: int
    kept_dear: float
    reads: float
    sums: CalibrationSums
    wall_seconds: float = field(default=math.nan, compare=False)

    @property
    def hand_count(self) -> int:
        """Hands played."""
        return 2 * self.deals * len(self.opponents)

    def cards(self, opponent: str, group: str = "all") -> int:
        """Unseen cards looked at, each at each decision anew."""
        return self.sums[opponent][group]["cards"]

    def table(self) -> pd.DataFrame:
        """A row for each opponent and class of chances that came up.

        chance_from, chance_to: the class; cards; predicted: mean chance; held: share that was held, with its interval.
        """
        import pandas as pd

        rows = []
        for opponent in self.opponents:
            for k, name in enumerate(CLASSES):
                own = self.sums[opponent][name]
                if not (cards := own["cards"]):
                    continue
                held = share_of_pairs(RatioSums.named(own, "held", "cards", "deals"))
                ends = (k / BINS, (k + 1) / BINS, cards, own["predicted"] / UNITS / cards)
                rows.append((opponent, *ends, held.value, held.low, held.high))
        names = ("opponent", "chance_from", "chance_to", "cards", "predicted", "held", "held_low", "held_high")
        return pd.DataFrame(rows, columns=list(names))

    def score(self, opponent: str, score: str, model: str = "belief", less: str = "", group: str = "all") -> Estimate:
        """Mean score of a model (the smaller the better), or what it is above that of the model ``less``.

        Parameters
        ----------
        score : {'log', 'brier'}
            Log loss in nats, or the squared difference from 1 (held) and 0.
        model, less : {'belief', 'dear', 'even'}
            The opponent model; dear cards 0.3 as likely as others; all unseen cards equally likely.
        group : str
            One of ``GROUPS``.
        """
        weights = {f"{score}_{name}": (name == model) - (name == less) for name in MODELS}
        return _ratio(self.sums[opponent][group], weights, self.deals)

    def scores(self) -> pd.DataFrame:
        """A row for each opponent and group of turns: both scores of the models, and what the model gains on the others.

        log, brier: of the opponent model; ``_dear``, ``_even``: of the simpler ones; ``gain_``: theirs less the model's.
        """
        import pandas as pd

        rows = []
        for opponent in self.opponents:
            for group in GROUPS:
                if not (cards := self.cards(opponent, group)):
                    continue
                row: dict[str, Any] = {"opponent": opponent, "group": group, "cards": cards}
                for score in SCORES:
                    row |= _columns(score, self.score(opponent, score, group=group))
                    for other in MODELS[1:]:
                        row[f"{score}_{other}"] = self.score(opponent, score, other, group=group).value
                        row |= _columns(f"{score}_gain_{other}", self.score(opponent, score, other, "belief", group))
                rows.append(row)
        return pd.DataFrame(rows)

    def miss(self, opponent: str) -> float:
        """How far the chances are from what was held: the mean over the cards of the gap of their class."""
        own = self.table().query("opponent == @opponent")
        return float((own["cards"] * (own["predicted"] - own["held"]).abs()).sum() / own["cards"].sum())

    def summary(self) -> pd.DataFrame:
        """The scores of all turns."""
        scores = self.scores()
        return scores[scores["group"] == "all"].drop(columns="group").set_index("opponent")

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.table().to_string(index=False)}"

    def verdict(self) -> str:
        """How good the chances are, in words."""
        parts = []
        for opponent in self.opponents:
            dear, even = (_better(self.score(opponent, "log", other, "belief")) for other in MODELS[1:])
            parts.append(
                f"Against {opponent}, the chances that {self.watcher} estimates differ from the shares that were held by "
                f"{100 * self.miss(opponent):.1f} percentage points on average; their log loss is "
                f"{self.score(opponent, 'log').value:.4f}, {even} that of taking all unseen cards as equally "
                f"likely and {dear} that of taking cards worth more than the last discard as {DEAR:g} times as likely as others."
            )
        return " ".join(parts)


def _better(gain: Estimate) -> str:
    """What a model gains on another, in words."""
    word = "below" if gain.low > 0 else "above" if gain.high < 0 else "not distinguishable from"
    low, high = sorted((abs(gain.low), abs(gain.high))) if gain.decided else (gain.low, gain.high)
    return f"{abs(gain.value):.4f} ({low:.4f} to {high:.4f}) {word}"


def _columns(name: str, e: Estimate) -> dict[str, float]:
    return {name: e.value, f"{name}_low": e.low, f"{name}_high": e.high}


def _ratio(sums: dict[str, int], weights: dict[str, int], deals: int) -> Estimate:
    """A weighted sum of scores per card; both vary from deal to deal (Cochran, Sampling Techniques, 1977, section 6.4)."""
    cards = sums["cards"]
    if not cards:
        return Estimate(math.nan, -math.inf, math.inf, math.inf)
    mean = sum(weight * sums[name] for name, weight in weights.items()) / cards
    terms = [*weights.items(), ("cards", -mean)]
    scatter = sum(v * w * sums.get(f"{a}*{b}", sums.get(f"{b}*{a}", 0)) for a, v in terms for b, w in terms)
    se = math.sqrt(max(scatter, 0.0) * deals / (deals - 1)) / cards if deals > 1 else math.inf
    return from_mean(mean / UNITS, se / UNITS, deals)


def named_sums(tally: np.ndarray) -> dict[str, dict[str, int]]:
    bins, groups = np.split(tally, [BINS * len(BIN_SUMS)])
    named = {name: as_dict(BIN_SUMS, row) for name, row in zip(CLASSES, bins.reshape(BINS, -1), strict=True)}
    return named | {name: as_dict(SCORE_SUMS, row) for name, row in zip(GROUPS, groups.reshape(len(GROUPS), -1), strict=True)}


class CalibrationExperiment(Experiment):
    """How well ``watcher`` can tell the cards of ``opponents``."""

    NEEDS, WITHOUT = "sightings", "whose players have no model of the others' cards"

    kind: Literal["calibration"] = "calibration"
    deals: int = Field(2_000, ge=2, le=MOST_DEALS, description="duplicate pairs of hands against each opponent")
    watcher: Player = Field(description="spec of the strategy whose view is taken")
    opponents: list[Player] = Field(
        min_length=1, max_length=MOST_LISTED, description="specs of the strategies whose cards are guessed"
    )

    @field_validator("opponents")
    @classmethod
    def _different(cls, value: list[Strategy]) -> list[Strategy]:
        return distinct("opponents", value)

    @property
    def game_pairs(self) -> int:
        return 0

    def field(self) -> Sequence[Strategy]:
        return [self.watcher, *self.opponents]

    def works(self) -> list[Work]:
        kept_dear, reads = model_of(self.watcher)
        of = self.rules, self.seed, HANDS, 0, self.deals
        return [
            CalibrationWork((self.watcher, opponent), *of, str(i), kept_dear=kept_dear, reads=reads)
            for i, opponent in enumerate(self.opponents)
        ]

    def result(self, tallies: Tallies, **more: Any) -> Calibration:
        none = np.zeros(BINS * len(BIN_SUMS) + len(GROUPS) * len(SCORE_SUMS), np.int64)
        sums = {str(o): named_sums(tallies.sums.get((str(i), HANDS), none)) for i, o in enumerate(self.opponents)}
        deals = sum(count for _, count in tallies.ranges.get(("0", HANDS), []))
        of = str(self.watcher), tuple(sums), str(self.rules), self.seed, deals, *model_of(self.watcher)
        return Calibration(*of, sums, **more)


def calibrate(
    watcher: str | Strategy,
    opponents: str | Strategy | Sequence[str | Strategy],
    rules: str | RulesModel = "eaai",
    deals: int = 2_000,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Calibration:
    """Compare the estimated chances that an opponent holds each unseen card with the cards held.

    Parameters
    ----------
    watcher : spec of the strategy that estimates, at each of its discards
    opponents : spec of the strategy, or strategies, whose cards are estimated
    rules : spec
    deals : int
        Duplicate pairs of hands against each opponent, the same decks for all.

    Examples
    --------
    >>> result = calibrate("champion", "simple", deals=5)
    >>> int(result.table()["cards"].sum()) == result.cards("simple")
    True
    """
    several = [opponents] if isinstance(opponents, str | Strategy) else listed("opponents", opponents, "strategies")
    of = built("calibration", watcher=watcher, opponents=several, rules=rules, deals=deals, seed=seed)
    result: Calibration = carried_out(of, workers, progress)
    return result


# --- how it is kept ------------------------------------------------------------------------------------------------------


class CalibrationManifest(Manifest):
    """What a `Calibration` is rebuilt from."""

    strategies: list[Name] = Field(min_length=2)
    deals: int = Field(ge=1, le=MOST_DEALS)
    kept_dear: float
    reads: float


def _text(result: Calibration) -> str:
    """The sums as the text of ``tallies.json``, a line for each class and group."""

    def lines(own: dict[str, dict[str, int]]) -> str:
        return ",\n".join(f"  {json.dumps(name)}: {json.dumps(sums)}" for name, sums in own.items())

    return "{\n" + ",\n".join(f" {json.dumps(o)}: {{\n{lines(own)}\n }}" for o, own in result.sums.items()) + "\n}\n"


def _rebuilt(folder: Path, manifest: CalibrationManifest, sums: Any, **more: Any) -> Calibration:
    path = folder / TALLIES
    watcher, *opponents = manifest.strategies
    same_names(path, "opponent", set(sums), set(opponents))
    for opponent, own in sums.items():
        same_names(path, f"{opponent}: class or group", set(own), {*CLASSES, *GROUPS})
        for name, named in own.items():
            same_names(path, f"{opponent}: {name}: sum", set(named), set(BIN_SUMS if name in CLASSES else SCORE_SUMS))
            if min(named.values()) < 0:
                raise InputError(f"results: {path}: {opponent}: {name}: a sum below 0 is impossible")
        if sum(own[name]["cards"] for name in CLASSES) != own["all"]["cards"]:
            raise InputError(f"results: {path}: {opponent}: the cards of the classes are not those of all turns")
    model = manifest.kept_dear, manifest.reads
    return Calibration(watcher, tuple(opponents), str(manifest.played), manifest.seeds, manifest.deals, *model, sums, **more)


def _facts(c: Calibration) -> dict[str, Any]:
    return {"kept_dear": c.kept_dear, "reads": c.reads}


register(
    "calibration", experiment=CalibrationExperiment, result=Calibration, text=_text, manifest=CalibrationManifest,
    sums=CalibrationSums, build=_rebuilt, facts=_facts,
)  # fmt: skip
