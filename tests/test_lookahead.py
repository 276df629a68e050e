"""The lookahead decisions and what they work out, against a slow twin: on views of real play and on awkward ones."""

from __future__ import annotations

import random
from itertools import product
from math import inf
from typing import Any

import numpy as np
import pytest

from ginsim import layout as D
from ginsim.games.catalog import Strategy
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.players import lookahead as kernel
from ginsim.games.gin.players import nextdraw, opponent
from ginsim.games.gin.players import outlook as features
from ginsim.games.gin.players.families import FAMILIES, REPERTOIRE
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.view import View
from ginsim.melds import makes_meld, points
from ginsim.simulation.play import HANDS, Work, play
from tests.helpers import Asking, from_mask, mask
from tests.oracle import melds
from tests.oracle import outlook as twin
from tests.oracle.cards import Card, Hand, Pack, bit, full_deck, pack_of, point, to_mask
from tests.strategy_contract import awkward_views, view_of

RULES = {
    "eaai": 5,
    "classic20": 4,
    "oklahoma": 4,
    "round_the_corner": 5,  # aces of 15
    "classic25(wrap=true, ace_value=15, redraw_ban=false)": 3,
    "classic25(ranks=8, hand_size=7, target=30)": 5,
    "classic25(ranks=5, wrap=true, hand_size=5, ace_value=15)": 6,
    "classic25(suits=3, hand_size=8)": 3,
    "classic25(eleven_card_start=true, upcard_offer=false, stock_end=reshuffle)": 3,
    "big_gin(stock_end=last_discard, knock_limit=3)": 4,
}
"""Rules and how many hands of them are played and watched."""
CLOSE = 1e-9
KNOCKS = {"knock_early": twin.knock_early, "knock_window": twin.knock_window}


def one_card(card: int) -> Card | None:
    return next(iter(from_mask(card)), None)


def known(view: np.ndarray, rules: Rules) -> twin.Known:
    """A view in the words of the twin."""
    seen = View(view)
    return twin.Known(
        rules,
        hand=from_mask(seen.hand),
        pile=from_mask(seen.pile),
        upcard=one_card(seen.upcard),
        opponent_known=from_mask(seen.opp_held),
        opponent_discards=from_mask(seen.opp_discards),
        opponent_passed=from_mask(seen.opp_passed),
        last_discard=one_card(seen.opp_moves[-1][1]) if seen.opp_turn else None,
        chosen=one_card(seen.chosen),
        banned=from_mask(seen.banned),
        turn=seen.turn,
        deadwood=seen.deadwood,
        score=seen.own_score,
    )


def chances_in(view: np.ndarray) -> dict[Card, float]:
    """The chance of each unseen card that the belief in the view says."""
    unseen = from_mask(features.unseen_cards(view))
    return {card: opponent.held_chance(np.int64(mask(card)), view) for card in unseen}


def weights_of(strategy: Strategy) -> dict[str, Any]:
    """All parameters of a strategy by name."""
    family = FAMILIES[strategy.name]
    params = [param for decision in family.decisions(strategy.args) for param in decision.params]
    values = {param.name: strategy.args.get(param.name, family.default(param)) for param in params}
    lists = {param.name for param in params if param.many}
    return {name: [value] if name in lists and not isinstance(value, list) else value for name, value in values.items()}


def random_weights(rnd: random.Random) -> str:
    """A lookahead strategy with all its weights about; some like deadwood, so that it matters what is not looked at."""
    params = REPERTOIRE.decisions["discard", "lookahead"].params
    weights = {p.name: p.default * rnd.uniform(0, 2) + rnd.gauss(0, 0.3) for p in params}
    weights["deadwood"] -= rnd.choice([0, 0, 40])
    del weights["kept_dear"], weights["reads"]
    values = [f"{name}={weight:.3f}" for name, weight in weights.items()]
    values += [f"kept_dear={rnd.choice([0, 0.2, 1, 3])}", f"reads={rnd.choice([0, 0.6, 1])}", f"gain={rnd.choice([-3, 0, 2])}"]
    knock = rnd.choice(["knock_from=[4, 6, 7]", "finish=30", "window_from=[3, 0]", "window_to=[8, 9, 3]"])
    return f"lookahead({', '.join([*values, knock])})"


class Watched(Asking):
    """Plays by the kernels' decisions, and compares each with what the twin says of the view."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.weights = weights_of(self.strategy)

    def fresh(self, view: np.ndarray) -> np.ndarray:
        """What the view tells of the opponent now."""
        array = view.copy()
        opponent.believe(array, self.params[kernel.W_KEPT_DEAR], self.params[kernel.W_READS])
        return array[V.BELIEF:V.WORK]

    def draw(self, view: View) -> int:
        fresh = self.fresh(view.array)
        mine, told = self.answer("draw", view.array), known(view.array, self.rules)
        saved, gain = twin.saving(told, chances_in(view.array), self.weights), self.weights["gain"]
        assert mine == (saved >= gain) or abs(saved - gain) < CLOSE
        if saved < inf:
            np.testing.assert_array_equal(view.array[V.BELIEF:V.WORK], fresh)
        self.seen.add(f"draw {mine}")
        return mine

    def discard(self, view: View) -> int:
        """The chances are those of the draw decision, if the turn had one that came to weigh them."""
        told, plain = known(view.array, self.rules), view.array.copy()
        assert from_mask(features.unseen_cards(plain)) == twin.unseen(told)
        assert features.last_value(plain) == twin.last_value(told)
        weighed = plain[V.MEMORY + 2] == plain[V.TURN] + 1
        belief = plain[V.BELIEF:V.WORK].copy() if weighed else self.fresh(plain)
        plain[V.MEMORY : V.MEMORY + 2] = 0
        mine = self.answer("discard", view.array)
        assert mine == self.answer("discard", plain)
        np.testing.assert_array_equal(plain[V.BELIEF:V.WORK], belief)
        self.seen |= {
            "discard remembered" if view.array[V.MEMORY] == view.array[V.HAND] else "discard found",
            "belief of the draw" if weighed else "belief of the discard",
        }
        cost = twin.costs(told, told.hand, told.banned, chances_in(plain), self.weights)
        least = pytest.approx(min(cost.values()), abs=CLOSE, rel=CLOSE)
        assert cost[next(iter(from_mask(mine)))] == least
        costs = kernel.least_costs(plain, plain[V.HAND], plain[V.BANNED], np.int64(0), 0.0, self.params)
        assert costs == (0, least, mine)
        return mine

    def knock(self, view: View) -> int:
        mine, told = self.answer("knock", view.array), known(view.array, self.rules)
        if expected := KNOCKS.get(self.strategy.decisions[2].__name__):
            assert mine == expected(told, self.weights)
            self.seen.add("knock")
        return mine


@pytest.mark.parametrize("spec", RULES)
def test_decisions_of_real_play(spec: str) -> None:
    """The players of a few hands, with the shipped weights and with others."""
    rnd, rules, counts = random.Random(spec), Rules.parse(spec), set[str]()
    for deal in range(RULES[spec]):
        pair = [Watched(Strategy.parse("lookahead" if deal % 3 == 1 else random_weights(rnd)), rules) for _ in range(2)]
        play(Work(tuple(Strategy.of(player=player) for player in pair), rules, 11, HANDS, deal, 1))
        counts |= pair[0].seen | pair[1].seen
    assert {"draw 0", "draw 1", "discard remembered", "discard found", "belief of the draw", "knock"} <= counts


# Features


def test_values_of_cards() -> None:
    rnd = random.Random(1)
    for rules in (Rules(), Rules(ace_value=15), Rules(ranks=6, suits=3, hand_size=4)):
        c, pack = rules.array(), pack_of(rules)
        for value in range(16):
            hands = [0, int(c[D.FULL]), *(to_mask(random_hand(rnd, pack, rnd.randrange(1, 12))) for _ in range(30))]
            for hand in hands:
                more = {card for card in from_mask(hand) if point(card, pack) > value}
                less = {card for card in from_mask(hand) if point(card, pack) < value}
                exactly = {card for card in from_mask(hand) if point(card, pack) == value}
                assert from_mask(features.worth_more(np.int64(hand), np.int64(value), c)) == more
                found = nextdraw.cheaper(np.int64(hand), np.int64(value), c)
                assert tuple(from_mask(cards) for cards in found) == (less, exactly)


PACKS = [
    Pack(), Pack(wrap=True, ace_value=15), Pack(8, 4, True), Pack(5, 3, True, 15), Pack(4, 4, True), Pack(3, 4),
    Pack(13, 2), Pack(6, 4, False, 15),
]  # fmt: skip


def array_of(pack: Pack) -> np.ndarray:
    """A view of nothing under rules with this pack."""
    return view_of(Rules(hand_size=3, **pack._asdict()), "")


def random_hand(rnd: random.Random, pack: Pack, size: int) -> Hand:
    """Cards that lie together more often than dealt ones: most are of a few neighbouring ranks."""
    deck = full_deck(pack)
    first, stray = rnd.randrange(pack.ranks), rnd.choice([0.0, 0.2, 1.0])
    near = [card for card in deck if (card[0] - first) % pack.ranks < 4 or rnd.random() < stray]
    pool = near if len(near) >= size else deck
    return frozenset(rnd.sample(pool, min(size, len(pool))))


@pytest.mark.parametrize("pack", PACKS, ids=str)
def test_cards_that_complete_a_meld(pack: Pack) -> None:
    c, rnd, deck = array_of(pack), random.Random(2), full_deck(pack)
    for _ in range(150):
        hand = random_hand(rnd, pack, rnd.randrange(len(deck)))
        assert from_mask(makes_meld(np.int64(to_mask(hand)), c)) == twin.completing(hand, pack)


@pytest.mark.parametrize("pack", PACKS, ids=str)
def test_danger(pack: Pack) -> None:
    c, rnd, deck = array_of(pack), random.Random(3), full_deck(pack)
    params, at = np.zeros(64), kernel.W_DEAR_PAIR
    for card in deck:
        for _ in range(6):
            hidden = frozenset(x for x in deck if x != card and rnd.random() < rnd.choice([0.4, 0.9]))
            held = frozenset(x for x in hidden if rnd.random() < 0.2)
            who = twin.Likely(rnd.randrange(1, 16), 0.0, believed(c, hidden, rnd))
            params[at] = rnd.choice([0.0, 1.0, 1.7])
            masks = (np.int64(mask(card)), np.int64(to_mask(hidden - held)), np.int64(to_mask(held)))
            found = kernel.danger(*masks, np.int64(who.value), c, params)
            assert found == pytest.approx(twin.danger(card, hidden - held, held, who, params[at], pack))


def believed(view: np.ndarray, cards: Hand, rnd: random.Random) -> dict[Card, float]:
    """Random chances of these cards, written into the view."""
    for card in cards:
        view[slot_of(card)] = rnd.randrange(opponent.UNIT + 1)
    return {card: view[slot_of(card)] / opponent.UNIT for card in cards}


def slot_of(card: Card) -> int:
    return V.BELIEF + bit(card)


def test_danger_turns_the_corner() -> None:
    view, params = view_of("classic25(wrap=true)", ""), Strategy.parse("lookahead").array
    view[V.BELIEF:] = opponent.UNIT // 2
    for card, pair in product(["KH", "AH"], ["AH 2H", "QH AH", "KH 2H", "KH QH"]):
        hidden = view_of("classic25", pair)[V.HAND]
        own = view_of("classic25", card)[V.HAND]
        if not own & hidden:
            assert kernel.danger(own, hidden, np.int64(0), np.int64(10), view, params) == 0.25


@pytest.mark.parametrize("pack", PACKS, ids=str)
def test_after_the_draw(pack: Pack) -> None:
    """Against the twin; the twin against the definition: least deadwood after any discard, an arrangement that has it."""
    c, rnd, deck = array_of(pack), random.Random(4), full_deck(pack)
    for _ in range(120):
        hand = random_hand(rnd, pack, rnd.randrange(2, min(12, len(deck) + 1)))
        h = np.int64(to_mask(hand))
        assert nextdraw.after_draw(h, c) == twin.after_draw(hand, pack)
        assert twin.after_draw(hand, pack)[0] == melds.best_discards(hand, pack=pack)[0]
        loose = twin.loose_in_best(hand, pack)
        assert from_mask(nextdraw.loose_in_best(h, c)) == loose
        arrangements = melds.arrangements(hand, pack)
        assert loose in {hand - melds.melded(arrangement) for arrangement in arrangements}


def test_a_whole_hand_of_melds_must_break_one() -> None:
    """Six or nine cards in melds of three: whichever goes, two are left without a meld."""
    c = Rules().array()
    for hand, expect in [("7S 7H 7D AS AH AD", (2, 2)), ("7S 7H 7D 9S 9H 9D 2C 3C 4C", (5, 2)), ("AS AH AD AC 7S 7H 7D", (0, 0))]:
        assert nextdraw.after_draw(view_of("classic25", hand)[V.HAND], c) == expect


# The outlook


def outlooks(h: int, unseen: int, even: float, params: np.ndarray, view: np.ndarray) -> dict[Card, twin.Outlook]:
    """The kernel's outlook for each discard of a hand."""
    rows = (nextdraw.L_NEXT, nextdraw.L_UNMATCHED, nextdraw.L_LOW, nextdraw.L_REACH)
    view[V.WORK:] = 0
    cards = sorted(from_mask(h), key=bit)
    for lane, card in enumerate(cards):
        view[nextdraw.L_CARD + lane] = mask(card)
        view[nextdraw.L_LOOSE + lane] = nextdraw.loose_in_best(np.int64(h & ~mask(card)), view)
    weights = params[kernel.W_OPP_HOLDS], params[kernel.W_DEAR_DRAW]
    nextdraw.outlooks(np.int64(h), np.int64(h), np.int64(unseen), even, *weights, view)
    floats = view.view(np.float64)
    return {card: twin.Outlook(*(float(floats[row + lane]) for row in rows)) for lane, card in enumerate(cards)}


def all_outlooks(hand: Hand, hidden: Hand, pack: Pack, rnd: random.Random) -> list[tuple[Hand, list[twin.Outlook]]]:
    """For each discard of a hand the cards kept, and the kernel's outlook, the twin's, and the exact one."""
    weights = {"opp_holds": rnd.uniform(-1, 2), "dear_draw": rnd.uniform(-0.2, 0.2)}
    params = np.zeros(64)
    params[kernel.W_OPP_HOLDS], params[kernel.W_DEAR_DRAW] = weights["opp_holds"], weights["dear_draw"]
    view = array_of(pack)
    who = twin.Likely(0, rnd.random(), believed(view, hidden, rnd))
    found = outlooks(to_mask(hand), to_mask(hidden), who.even, params, view)
    return [
        (kept := hand - {card}, [mine, *(twin.outlook(kept, hidden, who, weights, pack, exact) for exact in (False, True))])
        for card, mine in found.items()
    ]


@pytest.mark.parametrize("pack", [*PACKS[:4], PACKS[-1]], ids=str)
def test_outlook(pack: Pack) -> None:
    """Equal to the twin; and equal to trying every card where no card is wanted by a set and a run, else close to it."""
    rnd, deck = random.Random(6), full_deck(pack)
    gaps = []
    for _ in range(25):
        hand = random_hand(rnd, pack, min(11, len(deck) // 2))
        hidden = frozenset(card for card in deck if card not in hand and rnd.random() < 0.7)
        for kept, (mine, told, exact) in all_outlooks(hand, hidden, pack, rnd):
            assert mine == pytest.approx(told, abs=CLOSE)
            if len(twin.arranged(kept, pack)) == 1:
                assert mine == pytest.approx(exact, abs=CLOSE)
            else:
                gaps.append(np.abs(np.subtract(mine, exact)))
                assert mine.deadwood >= exact.deadwood - CLOSE
    assert len(gaps) > 20
    assert np.max(gaps, axis=0)[0] < (1 if pack == Pack() else 10)
    assert (np.mean(gaps, axis=0) < 0.2).all()
    assert np.mean(np.array(gaps) > CLOSE) < 0.05


def test_outlook_of_gin_and_of_nothing_unseen() -> None:
    view, params = view_of("classic25", ""), Strategy.parse("lookahead").array
    gin = view_of("classic25", "AH 2H 3H 5C 6C 7C 9D 9H 9C 9S KS")[V.HAND]
    loose = view_of("classic25", "AS 4S 7S 2H 8H JH 3D 5D QC KD KS")[V.HAND]
    king = (12, 0)
    assert outlooks(gin, 0, 0.3, params, view)[king] == (0, 0, 0, 0)
    assert outlooks(gin, view[D.FULL] & ~gin, 0.3, params, view)[king] == (0, 0, 0, 1)
    assert outlooks(loose, 0, 0.3, params, view)[king] == (60, 10, 10, 0)


# Awkward views


EVERY = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH "
EVERY += EVERY.replace("S", "D").replace("H", "C")


def without(*hands: str) -> str:
    """All cards but these."""
    return " ".join(card for card in EVERY.split() if card not in " ".join(hands).split())


TEN, TAKEN, ELEVEN = "2S 5S 6S 9H JH 3D 7D QD 4C KC", "9S", "2S 5S 6S 9H JH 3D 7D QD 4C KC 9S"
HELD = "AS 3S 4S AH 2H 3H AD 2D AC 2C"
FULL_OF_MELDS = "AH 2H 3H 5C 6C 7C 8C 9D 9H 9C 9S"
AWKWARD = {
    "nothing unseen": ("draw", view_of("classic25", TEN, upcard=TAKEN, pile=without(TEN), turn=9)),
    "nothing unseen, discard": ("discard", view_of("classic25", ELEVEN, pile=without(ELEVEN), turn=20)),
    "nothing unseen, all known": ("discard", view_of("classic25", ELEVEN, opp_held=HELD, pile=without(ELEVEN, HELD), turn=3)),
    "one unseen": ("discard", view_of("classic25", ELEVEN, pile=without(ELEVEN, "10D"), turn=3)),
    "all of the opponent known": ("draw", view_of("eaai", TEN, upcard=TAKEN, opp_held=HELD, turn=5)),
    "all of the opponent known, discard": ("discard", view_of("eaai", ELEVEN, opp_held=HELD, turn=5)),
    "all melded": ("discard", view_of("big_gin", FULL_OF_MELDS, drawn="8C")),
    "all melded but the card taken": ("discard", view_of("big_gin", FULL_OF_MELDS, upcard="8C", banned="8C", drawn="8C")),
    "six in two melds": ("discard", view_of("classic25(hand_size=5)", "7S 7H 7D AS AH AD", drawn="AD")),
    "six in two melds, draw": ("draw", view_of("classic25(hand_size=5)", "7S 7H 7D AS AH", upcard="AD")),
    "one that may go": ("discard", view_of("classic25", ELEVEN, banned="2S 5S 6S 9H JH 3D 7D QD 4C 9S", wall=1)),
    "a set and runs around the corner": ("discard", view_of("round_the_corner", "AS AH AD AC KS KH KD KC QS QH 2S")),
}  # fmt: skip


@pytest.mark.parametrize(
    "spec", ["lookahead", "lookahead(kept_dear=0)", "lookahead(danger=0, danger_turn=0, gain=-50)", "lookahead(deadwood=-50)"]
)
def test_awkward_views(spec: str) -> None:
    every = {name: (kind, view) for name, (kind, view) in (AWKWARD | awkward_views()).items() if kind != "knock"}
    for kind, view in every.values():
        rules = rules_of(view)
        for turns in (0, 1, 10):  # of the opponent, with discards of small and of great value
            array = view.copy()
            array[V.OPP_TURN] = max(turns, array[V.OPP_TURN])
            logged = slice(V.OPP_LOG + 1, V.OPP_LOG + 2 * array[V.OPP_TURN], 2)
            array[logged] = mask((turns % rules.ranks, 0))
            getattr(Watched(Strategy.parse(spec), rules), kind)(View(array))


def rules_of(view: np.ndarray) -> Rules:
    """What the decisions read of the rules of a view."""
    full = int(view[D.FULL])
    return Rules(
        ranks=view[D.RANKS],
        suits=sum(full >> 16 * suit & 1 for suit in range(4)),
        hand_size=view[D.HAND_SIZE],
        ace_value=points(np.int64(1), view),
        wrap=bool(view[D.WRAP_LOW]),
        redraw_ban=bool(view[R.REDRAW_BAN]),
        target=view[R.TARGET],
    )


def test_the_wall_bans_what_was_remembered() -> None:
    """At the wall a discard must leave a knock; the one of least cost, found at the draw, may not."""
    rules = "classic25(stock_end=last_discard, knock_limit=3, hand_size=7)"
    hand, banned = "AD 3D 6D 7D 8D 9D 10D 2C", "AD 6D 7D 8D 9D 10D 2C"
    view = view_of(rules, hand, upcard="10D", wall=1, stock=2, turn=20, opp_turn=0, banned=banned)
    view[V.MEMORY : V.MEMORY + 2] = view[V.HAND], mask((0, 2))
    strategy = Strategy.parse("lookahead")
    assert strategy.decisions[1](view, strategy.array) == mask((2, 2))
    works = Work((strategy, Strategy.parse("lookahead(knock=0)")), Rules.parse(rules), 1, HANDS, 1500, 300)
    play(works)  # an illegal discard would raise


@pytest.mark.parametrize("name", ["early", "window"])
def test_knocks(name: str) -> None:
    decision = REPERTOIRE.decisions["knock", name]
    told = KNOCKS[f"knock_{name}"]
    rnd, rules = random.Random(8), Rules()
    lists = {"knock_from": 12, "window_from": 6, "window_to": 6}
    for _ in range(300):
        weights: dict[str, Any] = {"finish": rnd.choice([0, 5, 10, 40])}
        weights |= {key: [rnd.randrange(12) for _ in range(rnd.randrange(1, most + 1))] for key, most in lists.items()}
        given = {param.name: weights[param.name] for param in decision.params}
        params = Strategy.parse(f"lookahead({', '.join(f'{key}={value}' for key, value in given.items())})").array
        view = view_of("classic25", TEN)
        for left, turn, score in product([0, 1, 4, 10], [0, 1, 5, 30], [0, 85, 99]):
            view[V.DEADWOOD], view[V.TURN], view[V.OWN_SCORE] = left, turn, score
            assert decision.function(view, params) == told(known(view, rules), weights)
