"""Recorded hands reviewed: what each decision cost, and how much of the result was luck."""

from __future__ import annotations

import functools
import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joblib import Parallel, delayed

from ginsim.answers import Answer
from ginsim.cards import format_card, format_hand
from ginsim.deals import MOST_SEED
from ginsim.errors import InputError, check_count, listed, shown
from ginsim.games.base import HANDS
from ginsim.games.catalog import Strategy
from ginsim.games.gin import view as V
from ginsim.games.gin.advice import GAME, MOST_ROLLOUTS, POINTS, player_on
from ginsim.games.gin.recorded.hand import RecordedHand
from ginsim.games.gin.recorded.walk import walk
from ginsim.games.gin.recorded.walked import Walked, walked
from ginsim.games.gin.reviewed.costs import GRADES
from ginsim.games.gin.reviewed.judging import KINDS, Judged, Skipped, judge
from ginsim.games.gin.reviewed.luck import Weights, hand_luck_of, weights_of
from ginsim.games.gin.rules import Rules
from ginsim.simulation.play import Work, check_workers, play
from ginsim.study.habits import habits_of
from ginsim.study.reviewed import Player, ReviewedHand, player_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["QUICK", "ROLLOUTS", "Review", "ReviewedHand", "luck_weights", "review"]

ROLLOUTS, QUICK = 1_000, 200
"""How often the hidden cards are drawn for a decision; where it has to be quick."""
LUCK_PLAYER, LUCK_DEALS = "champion", 4_000
"""Who plays against itself, and in how many duplicate pairs of hands, to measure what luck is worth in points."""
WORST = 5
PLAYER = "champion_rollout(ahead=100, astray=0.01)"
"""Looks ahead to the end of the hand, the opponent plays plainly; quicker than ``strong`` on both sides.

``astray`` makes the hands that are drawn nearer to those that were held: on champion's turns against simple they had 35.3 points
of deadwood, where 32.8 were held; with the default of rollouts 37.6.
"""
Report = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Review(Answer):
    """The result of `review`.

    Attributes
    ----------
    hands : tuple of ReviewedHand
    by : {'points', 'game'}
        What the best choice is best in, and what grades go by.
    rollouts, seed : int
    player : str
        Whose rollouts judge.
    """

    hands: tuple[ReviewedHand, ...]
    by: str
    rollouts: int
    seed: int
    player: str

    @property
    def rules(self) -> str:
        """The rules of the hands, or of the first one."""
        return str(self.hands[0].record.rules)

    @cached_property
    def judged(self) -> list[tuple[int, Judged]]:
        """All decisions judged, with the number of their hand (from 0)."""
        return [(number, one) for number, hand in enumerate(self.hands) for one in hand.judged]

    @cached_property
    def players(self) -> list[Player]:
        """What each player lost by decisions, and won or lost by luck; in the order in which they are named."""
        names = dict.fromkeys(name for hand in self.hands for name in hand.names)
        found = (player_of(name, self.hands, self.by) for name in names)
        return [player for player in found if player.decisions]

    def worst(self, count: int = WORST) -> list[tuple[int, Judged]]:
        """The decisions that cost most, with the numbers of their hands; only such as are doubtful at least."""
        wrong = [(number, one) for number, one in self.judged if one.grade != GRADES[0]]
        return sorted(wrong, key=lambda found: -found[1].cost(self.by).value)[:count]

    @property
    def skipped(self) -> Counter[str]:
        """How many decisions could not be judged, by why."""
        return Counter(one.why for hand in self.hands for one in hand.skipped)

    # Tables

    def decisions(self) -> pd.DataFrame:
        """A row for each decision judged: what was played, what was best, what it cost."""
        import pandas as pd

        return pd.DataFrame([self._row(number, one) for number, one in self.judged])

    def _row(self, number: int, one: Judged) -> dict[str, Any]:
        view, hand = one.decision.view, self.hands[number]
        row: dict[str, Any] = {
            "hand": number + 1,
            "player": hand.names[one.decision.player],
            "turn": int(view[V.TURN]) + 1,
            "kind": one.kind,
            "holding": format_hand(int(view[V.HAND])),
            "upcard": format_card(int(view[V.UPCARD])) if view[V.UPCARD] else "",
            "played": one.played.text,
            "best": one.best.text,
            "options": one.options,
            "grade": one.grade,
        }
        for name, cost in (("points", one.points), ("game", one.game)):
            row |= {f"cost_{name}": cost.value, f"cost_{name}_low": cost.low, f"cost_{name}_high": cost.high}
        return row | {"chance_before": one.best.game.value, "chance_after": one.played.game.value}

    def by_kind(self) -> pd.DataFrame:
        """A row for each player and kind of decision: how many, how many of each grade, what they cost."""
        import pandas as pd

        rows = []
        for player, kind in itertools.product(self.players, KINDS):
            own = [one for number, one in self.judged if one.kind == kind and self._name(number, one) == player.name]
            if own:
                grades = Counter(one.grade for one in own)
                costs = {f"cost_{by}": sum(one.cost(by).value for one in own) for by in (POINTS, GAME)}
                counts = {"decisions": len(own), **{grade: grades[grade] for grade in GRADES}}
                rows.append({"player": player.name, "kind": kind, **counts, **costs})
        return pd.DataFrame(rows)

    def _name(self, number: int, one: Judged) -> str:
        return self.hands[number].names[one.decision.player]

    def summary(self) -> pd.DataFrame:
        """A row for each player: decisions, what they cost, luck, result, with 95 % intervals."""
        import pandas as pd

        return pd.DataFrame([player.row() for player in self.players])

    def habits(self) -> pd.DataFrame:
        """A row for each player: what is taken, when and with how much is knocked, what is thrown (``ginsim.study.habits``)."""
        import pandas as pd

        return pd.DataFrame([habits_of(player.name, self.hands) for player in self.players])

    def draws(self) -> pd.DataFrame:
        """A row for each card from the stock of which the luck is known, in points for who drew it."""
        import pandas as pd

        return pd.DataFrame(
            [
                {"hand": number + 1, "player": hand.names[draw.player], "turn": draw.turn + 1,
                 "card": format_card(draw.card), "luck": draw.points}
                for number, hand in enumerate(self.hands) if hand.luck for draw in hand.luck.draws
            ],
            columns=["hand", "player", "turn", "card", "luck"],
        )  # fmt: skip

    def by_hand(self) -> pd.DataFrame:
        """A row for each hand and player: decisions, cost, luck of the deal and in all, result, result less luck."""
        import pandas as pd

        return pd.DataFrame([row for number in range(len(self.hands)) for row in self._of_hand(number)])

    def _of_hand(self, number: int) -> Iterator[dict[str, Any]]:
        hand = self.hands[number]
        for seat in (0, 1):
            own = [one for one in hand.judged if one.decision.player == seat]
            if not own:
                continue
            luck, result = hand.luck, hand.result(seat)
            total = None if luck is None or luck.deal[seat] is None else luck.points(seat)
            yield {
                "hand": number + 1, "place": hand.walked.place, "player": hand.names[seat], "decisions": len(own),
                **{f"cost_{by}": sum(one.cost(by).value for one in own) for by in (POINTS, GAME)},
                "luck_of_the_deal": None if luck is None else luck.deal[seat], "luck": total, "result": result,
                "result_less_luck": None if total is None or result is None else result - total,
            }  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """All figures as plain data."""
        settings = {"by": self.by, "rollouts": self.rollouts, "seed": self.seed, "player": self.player, "rules": self.rules}
        rows = {name: list(map(_plain, table.to_dict("records"))) for name, table in self.tables().items()}
        return {**settings, "verdict": self.verdict(), **rows, "skipped": dict(self.skipped)}

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name."""
        return {
            "summary": self.summary(), "by_kind": self.by_kind(), "by_hand": self.by_hand(), "decisions": self.decisions(),
            "draws": self.draws(), "habits": self.habits(),
        }  # fmt: skip

    def verdict(self) -> str:
        """What each player lost by decisions, and how lucky they were, in a sentence each."""
        hands = "one hand" if len(self.hands) == 1 else f"{len(self.hands):,} hands"
        return f"In {hands}: " + " ".join(player.sentence(self.by) for player in self.players)

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.summary().to_string(index=False, float_format='{:.2f}'.format)}"


def _plain(row: dict[Any, Any]) -> dict[str, Any]:
    """A row as JSON has it: nothing for what is no number."""
    cells = {str(name): value.item() if hasattr(value, "item") else value for name, value in row.items()}
    return {name: None if value != value else value for name, value in cells.items()}


@functools.cache
def luck_weights(rules: Rules) -> Weights | None:
    """What luck is worth in points under some rules; None where the pile is shuffled into a new stock."""
    if rules.stock_end == "reshuffle":
        return None
    player = Strategy.parse(LUCK_PLAYER, "gin")
    records = play(Work((player, player), rules, 0, HANDS, 0, LUCK_DEALS, luck=True), keep=True).records
    assert records is not None
    return weights_of(records)


def review(
    hands: str | Path | RecordedHand | Iterable[str | Path | RecordedHand],
    rules: str | Rules = "classic25",
    rollouts: int = ROLLOUTS,
    seed: int = 0,
    by: str | None = None,
    player: str | Strategy = PLAYER,
    notation: str | None = None,
    lenient: bool = False,
    workers: int | None = None,
    progress: Report | None = None,
) -> Review:
    r"""Judge every decision of recorded hands: the best choice, what the choice that was made cost, and how much was luck.

    Hidden cards are drawn given what the player knew then, and all choices are played to the end on the same ones. Where the
    cards of only one player are known, that player's decisions are judged.

    Parameters
    ----------
    hands : path, RecordedHand, or several
        Files, or folders of files, in any notation that `ginsim.read_hands` reads.
    rules : str or Rules
        Where a file does not name them.
    rollouts : int
        How often the hidden cards are drawn for each decision.
    seed : int
    by : {'points', 'game'}, optional
        What counts: points of the hand, or the chance of winning the game from its score; by default the latter if any hand has
        a score.
    player : str or Strategy
        Who plays on from each choice, for both players; a player by rollouts as in these: ``champion_rollout`` looks ahead while
        the opponent plays plainly, with ``strong_rollout`` both play a turn by the nets, and then plainly.
    notation, lenient
        As in `ginsim.read_hands`; a lenient review skips moves that the rules do not allow.
    workers : int, optional
    progress : callable, optional
        Told how many decisions are done, and of how many.

    Examples
    --------
    >>> from ginsim.games.gin.recorded.notation import parse_hands
    >>> text = "hand A: 4S 4H 4D 9C 10C JC KD 2S 8D AH\nupcard: 6H\nA passes\nB passes\nA draws KC, discards 10C"
    >>> result = review(parse_hands(text), rollouts=200)
    >>> [(one.kind, one.played.text, one.grade) for _, one in result.judged]
    [('upcard', 'pass', 'fine'), ('discard', 'discard 10♣', 'blunder')]
    """
    if by not in (None, POINTS, GAME):
        raise InputError(f"by: {shown(by)} is not allowed; give {POINTS} or {GAME}")
    count, seed = check_count("rollouts", rollouts, 2, MOST_ROLLOUTS), check_count("seed", seed, 0, MOST_SEED)
    jobs = check_workers(workers)
    found = _walked(hands, rules, notation, lenient)
    by = by or (GAME if any(any(one.walk.hand.score) for one in found) else POINTS)
    tell = _Counting(progress, sum(len(one.walk.decisions) for one in found))
    weights = [luck_weights(one.walk.hand.rules) for one in found]

    who = {one.walk.hand.rules: player_on(player, one.walk.hand.rules) for one in found}

    def reviewed(number: int) -> ReviewedHand:
        own, worth = found[number], weights[number]
        judged = [tell(one) for one in judge(own.walk, count, seed, who[own.walk.hand.rules], by, number)]
        luck = None if worth is None else hand_luck_of(own.walk, worth)
        kept = tuple(one for one in judged if isinstance(one, Judged))
        return ReviewedHand(own, kept, tuple(one for one in judged if isinstance(one, Skipped)), luck)

    done = Parallel(n_jobs=jobs, prefer="threads")(delayed(reviewed)(number) for number in range(len(found)))
    result = Review(tuple(done), by, count, seed, str(Strategy.parse(player, "gin")))
    if not result.judged:
        raise InputError("hands: there is no decision to judge in them: give the cards of one player at least (hand A: …)")
    return result


class _Counting:
    """Tells how many decisions are done; several threads may ask."""

    def __init__(self, progress: Report | None, total: int) -> None:
        self.progress, self.total, self.done, self.lock = progress, total, 0, threading.Lock()

    def __call__(self, one: Judged | Skipped) -> Judged | Skipped:
        with self.lock:
            self.done += 1
            if self.progress:
                self.progress(self.done, self.total)
        return one


def _walked(given: Any, rules: str | Rules, notation: str | None, lenient: bool) -> list[Walked]:
    """The hands that were given, walked through the rules."""
    several = [given] if isinstance(given, str | Path | RecordedHand) else listed("hands", given, "files or recorded hands")
    if not several:
        raise InputError("hands: there are none; give a file, or recorded hands")
    found: list[Walked] = []
    for number, one in enumerate(several, start=1):
        if isinstance(one, RecordedHand):
            found.append(Walked(walk(one, lenient), f"hand {number}"))
        else:
            found += walked([one], rules, notation, lenient)
    return found
