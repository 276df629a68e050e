"""Players who remember only the last discards, against a twin that goes through the discards one by one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ginsim.errors import InputError
from ginsim.games.catalog import Strategy
from ginsim.games.families import describe
from ginsim.games.gin import view as V
from ginsim.games.gin.players.families import FAMILIES, REPERTOIRE
from ginsim.games.gin.players.memory import SHORT
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.view import View
from ginsim.simulation.play import GAMES, HANDS, Work, play
from tests.helpers import Asking, engine_hands, from_mask, mask
from tests.strategy_contract import awkward_views, views_in_play

LONG = {function: name for name, function in SHORT.items()}
SPECS = (
    "champion(remembers={n})", "allround(remembers={n}, stop=chart)",
    "custom(outs=1, deny=9, slack=9, pair=2, safety=20, bait=1, undercut_risk=0.2, remembers={n})",
)  # fmt: skip
RULES = ("eaai", "round_the_corner", "classic25(eleven_card_start=true, upcard_offer=false, stock_end=reshuffle)")


def discards(view: np.ndarray) -> Iterator[int]:
    """All discards, the first first."""
    seen = View(view)
    own, other = iter(card for _, card in seen.own_moves), iter(card for _, card in seen.opp_moves)
    mine = seen.turn == seen.opp_turn  # it is the player's turn: who has played as often began
    while (card := next(own if mine else other, 0)) != 0:
        yield card
        mine = not mine


def forgetful(view: np.ndarray, n: int) -> np.ndarray:
    """The view of a player who knows the top of the pile and the ``n`` discards before; logs are empty where he knows nothing."""
    thrown, found = list(discards(view)), view.copy()
    assert len(thrown) == view[V.TURN] + view[V.OPP_TURN]
    if n >= len(thrown):  # the first upcard is remembered too
        return found
    known = set[tuple[int, int]]().union(*map(from_mask, (*thrown[len(thrown) - n - 1 :], int(view[V.UPCARD]))))
    for slot in (V.PILE, V.OPP_HELD, V.OPP_PASSED, V.OPP_DISCARDS, V.OWN_DISCARDS):
        found[slot] = sum(mask(card) for card in from_mask(int(view[slot])) if card in known)
    for back, (log, turns) in enumerate([(V.OPP_LOG, view[V.OPP_TURN]), (V.OWN_LOG, view[V.TURN])]):
        last = (n + 2 - back) // 2  # of this player's discards, every second one
        found[log : log + 2 * max(turns - last, 0)] = 0
    return found


class Watched(Asking):
    """Plays by the decisions of a short memory, and asks those of a full one what they do where the rest is not known."""

    def _answer(self, kind: str, view: View) -> int:
        before, n = view.array.copy(), int(self.strategy.args["remembers"])
        mine = self.answer(kind, view.array)
        at = REPERTOIRE.kinds.index(kind)
        if (function := self.strategy.decisions[at]) in LONG:
            plain = forgetful(before, n)
            assert mine == LONG[function](plain, self.params)
            asked = [V.RANDOM, *range(V.HAND, V.RANDOM)]
            np.testing.assert_array_equal(view.array[asked], before[asked])
            self.seen.add(f"{kind} {'all' if np.array_equal(plain[: V.BELIEF], view.array[: V.BELIEF]) else 'part'}")
        return mine

    def draw(self, view: View) -> int:
        return self._answer("draw", view)

    def discard(self, view: View) -> int:
        return self._answer("discard", view)

    def knock(self, view: View) -> int:
        return self._answer("knock", view)


@pytest.mark.parametrize("rules", RULES)
def test_decisions_of_real_play(rules: str) -> None:
    seen = set[str]()
    for number, spec in enumerate(SPECS):
        for n in (0, 1, 2, 5, 8):
            pair = [Watched(Strategy.parse(spec.format(n=n + k)), Rules.parse(rules)) for k in (0, 3)]
            play(Work(tuple(Strategy.of(player=player) for player in pair), Rules.parse(rules), number, HANDS, n, 1))
            seen |= pair[0].seen | pair[1].seen
    assert {"draw all", "draw part", "discard all", "discard part"} <= seen


def test_views_of_other_play() -> None:
    """The lookahead keeps what it worked out at the draw; here each decision is asked by itself, also on views nobody meets."""
    views = [*views_in_play(), *awkward_views().values()]
    for spec in (SPECS[0], SPECS[2]):
        for n in (0, 3):
            strategy = Strategy.parse(spec.format(n=n))
            for kind, view in views:
                function = strategy.decisions[REPERTOIRE.kinds.index(kind)]
                if function in LONG and len(list(discards(view))) == view[V.TURN] + view[V.OPP_TURN]:
                    assert function(view.copy(), strategy.array) == LONG[function](forgetful(view, n), strategy.array)


@pytest.mark.parametrize("name", ["champion", "aggressive"])
def test_who_remembers_all_plays_as_ever(name: str) -> None:
    """A memory for more discards than there are, through the decisions of a short memory."""
    other = Strategy.parse("simple")
    plain, same, short = (
        play(Work((Strategy.parse(spec), other), Rules(), 4, HANDS, 0, 10), keep=True).records
        for spec in (name, f"{name}(remembers=99)", f"{name}(remembers=0)")
    )
    np.testing.assert_array_equal(plain, same)
    assert not np.array_equal(plain, short)
    full = Strategy.parse(f"{name}(remembers=100)")
    assert (full.decisions, full.params) == (Strategy.parse(name).decisions, Strategy.parse(name).params)
    works = [Work((Strategy.parse(f"{name}(remembers=2)"), other), Rules(), 5, GAMES, 0, 1) for _ in range(2)]
    np.testing.assert_array_equal(*(play(work, keep=True).records for work in works))


def test_kernels_play_alike() -> None:
    pair = Strategy.parse("defensive(remembers=2)"), Strategy.parse("champion(remembers=3)")
    slots, python = (engine_hands(kind, *pair, Rules.parse("eaai"), 3, 0, 3) for kind in ("slots", "python"))
    np.testing.assert_array_equal(slots, python)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("champion(remembers=-1)", "champion: remembers=-1 is not allowed; give a number from 0 to 100"),
        ("champion(remembers=[1])", "remembers=.* is not allowed; give a number from 0 to 100"),
        ("champion(remembers=all)", "remembers=.* is not allowed; give a number from 0 to 100"),
        ("custom(remembers=3)", "custom: remembers has no effect with the decisions chosen"),
        ("custom(draw=weighed, discard=rollout, stop=window, remembers=3)", "remembers is not for discard=rollout"),
        ("learned(remembers=3)", "learned has no parameter 'remembers'"),
        ("champion_rollout(remembers=3)", "champion_rollout has no parameter 'remembers'"),
        ("threshold(remembers=3)", "threshold has no parameter 'remembers'"),
    ],
)
def test_where_it_is_not_allowed(spec: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Strategy.parse(spec)


def test_who_may_forget() -> None:
    offered = {name for name, family in FAMILIES.items() if "remembers" in family.options()}
    assert offered >= {"lookahead", "champion", "allround", "champion20", "aggressive", "defensive", "custom"}
    assert not offered & {"simple", "threshold", "strong", "learned", "rollout", "champion_rollout", "strong_rollout", "ordinary"}
    told = describe("champion(remembers=3)", REPERTOIRE).splitlines()[-1]
    assert told.startswith("Memory: remembers=3 (how many discards before the top")
    assert "remembers" not in describe("champion", REPERTOIRE)
