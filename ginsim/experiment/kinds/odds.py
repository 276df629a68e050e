"""Odds from every score as an experiment file, and the counts they rest on, on disk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field, model_validator

from ginsim.errors import InputError
from ginsim.experiment.base import Experiment, StrategySpec
from ginsim.experiment.kind import Kind
from ginsim.experiment.saved import TALLIES, Manifest, Name
from ginsim.games.gin.count import GAME_TALLY
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import Strategy
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import GAMES, Work
from ginsim.study.compare import MOST_DEALS
from ginsim.study.gameodds import BATCHES, Odds, odds_of, odds_works

__all__ = ["ODDS", "OddsExperiment"]


class OddsExperiment(Experiment):
    """The chance of ``a`` to win a game against ``b``, from every score."""

    kind: Literal["odds"] = "odds"
    a: StrategySpec = Field(description="spec of the first strategy")
    b: StrategySpec = Field(description="spec of the second strategy")
    deals: int = Field(100_000, ge=BATCHES, le=MOST_DEALS, description="duplicate pairs of hands")

    @model_validator(mode="after")
    def _target(self) -> OddsExperiment:
        if Rules.parse(self.rules).hollywood:
            raise InputError(f"rules: {self.rules} has no odds by score: three games run at once; play games instead")
        return self

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(self.a), Strategy.parse(self.b)]

    def works(self) -> list[Work]:
        a, b = self.field()
        return odds_works(a, b, Rules.parse(self.rules), self.deals, self.game_pairs, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Odds:
        a, b = self.field()
        return odds_of(tallies, a, b, Rules.parse(self.rules), self.seed, **more)


OddsSums = dict[str, list[int] | dict[str, int]]


class OddsManifest(Manifest):
    """What `Odds` are rebuilt from."""

    strategies: list[Name] = Field(min_length=2, max_length=2)
    deals: int = Field(ge=BATCHES, le=MOST_DEALS)


def odds_text(result: Odds) -> str:
    """The counts as the text of ``tallies.json``: for each batch, starter and winner those of 0, 1, … points."""
    rows = [
        f' "{batch}-{starter}-{winner}": {json.dumps(result.counts[batch, starter, winner].tolist())}'
        for batch, starter, winner in np.ndindex(result.counts.shape[:3])
    ]
    return "{\n" + ",\n".join([*rows, f' "{GAMES}": {json.dumps(result.games_tally)}']) + "\n}\n"


def rebuilt_odds(folder: Path, manifest: OddsManifest, rules: Rules, sums: Any, **more: Any) -> Odds:
    """The odds that were saved."""
    path, shape = folder / TALLIES, (BATCHES, 2, 2, rules.target + 1)
    wanted = {"-".join(map(str, place)): place for place in np.ndindex(shape[:3])}
    if set(sums) != {*wanted, GAMES} or not isinstance(sums[GAMES], dict) or set(sums[GAMES]) != set(GAME_TALLY):
        raise InputError(f"results: {path}: the counts are not those of {BATCHES} parts of the deals and of games")
    counts = np.zeros(shape, np.int64)
    for name, place in wanted.items():
        own = sums[name]
        if not isinstance(own, list) or len(own) != shape[3] or min(own) < 0 or sum(own) > 2 * manifest.deals:
            raise InputError(f"results: {path}: {name} does not hold counts of 0 to {rules.target} points")
        counts[place] = own
    a, b = manifest.strategies
    return Odds(a, b, str(rules), manifest.seeds, manifest.deals, counts, sums[GAMES], **more)


ODDS = Kind(OddsExperiment, Odds, odds_text, OddsManifest, OddsSums, rebuilt_odds)
