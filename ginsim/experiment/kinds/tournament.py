"""A round robin as an experiment file, and its sums on disk."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, Literal

from ginsim.errors import InputError
from ginsim.experiment.base import FieldExperiment
from ginsim.experiment.kind import Kind
from ginsim.experiment.saved import MANIFEST, TALLIES, Manifest, Sums, check_pairings, hands_folder, kept_pairing, pairings_text
from ginsim.games.gin.rules import Rules
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Work
from ginsim.study.tournament import Tournament, tournament_of, tournament_works

__all__ = ["TOURNAMENT", "TournamentExperiment"]


class TournamentExperiment(FieldExperiment):
    """A round robin of ``strategies``."""

    kind: Literal["tournament"] = "tournament"

    @property
    def keeps_hands(self) -> bool:
        return True

    def works(self) -> list[Work]:
        return tournament_works(self.field(), Rules.parse(self.rules), self.deals, self.game_pairs, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        return tournament_of(tallies, self.field(), Rules.parse(self.rules), self.seed, **more)


def tournament_text(tournament: Tournament) -> str:
    """The sums of a tournament as the text of ``tallies.json``."""
    return pairings_text(tournament.pairings)


def rebuilt_tournament(folder: Path, manifest: Manifest, rules: Rules, sums: Sums, **more: Any) -> Tournament:
    """The tournament that was saved."""
    n = len(manifest.strategies)
    check_pairings(folder / TALLIES, sums, n)
    if n < 2:
        raise InputError(f"results: {folder / MANIFEST}: a tournament has 2 strategies or more, not {n}")
    pairings = {(i, j): kept_pairing(manifest, rules, sums, i, j) for i, j in itertools.combinations(range(n), 2)}
    hands = hands_folder(folder, manifest)
    return Tournament(tuple(manifest.strategies), str(rules), manifest.seeds, pairings, hands_folder=hands, **more)


TOURNAMENT = Kind(TournamentExperiment, Tournament, tournament_text, Manifest, Sums, rebuilt_tournament)
