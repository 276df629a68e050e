"""Recorded hands: written and read again, walked through the rules, and what players saw in them."""

from __future__ import annotations

import itertools
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace as changed
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from ginsim import read_hands
from ginsim.cards import format_hand, parse_hand
from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.advice import advise_on
from ginsim.games.gin.hand import RECORD
from ginsim.games.gin.play import GinSession
from ginsim.games.gin.recorded import notation
from ginsim.games.gin.recorded.decisions import DISCARD, DRAW, KNOCK, LAY_OFF, UPCARD, Decision
from ginsim.games.gin.recorded.from_openspiel import of_actions, rules_of_game
from ginsim.games.gin.recorded.from_pbn import parse_pbn
from ginsim.games.gin.recorded.hand import RecordedHand, Result
from ginsim.games.gin.recorded.notation import parse_hands
from ginsim.games.gin.recorded.reading import notation_of, read_text_of_hands
from ginsim.games.gin.recorded.replayed import of_replay
from ginsim.games.gin.recorded.walk import walk
from ginsim.games.gin.recorded.writing import all_as_text, as_text
from ginsim.games.gin.replay import Replay
from ginsim.games.gin.rules import PRESETS, Rules
from ginsim.study.hand import replay
from tests.helpers import random_rules, random_spec

OPENSPIEL = json.loads((Path(__file__).parent / "data" / "openspiel.json").read_text(encoding="utf-8"))
Seen = list[tuple[int, str, np.ndarray, int]]
"""Player, kind, view and answer of each decision that the engine asked for."""
KINDS = ("draw", DISCARD, KNOCK)
RARE = (
    "big_gin(gin_bonus=0, knock_limit=100, ranks=5, hand_size=5)",
    "big_gin(knock_limit=0, min_turns_before_knock=0, stock_end=last_discard, hand_size=5, ranks=5)",
    "classic25(stock_end=last_discard, knock_limit=3)",
    "classic25(stock_end=reshuffle, ranks=6, hand_size=5, knock_limit=0, max_turns=60)",
    "classic25(eleven_card_start=true, upcard_offer=false, min_turns_before_knock=0)",
    "classic25(tie=push, ranks=5, hand_size=5)",
)


def hands(rules: Rules, count: int, seed: int) -> Iterator[Replay]:
    """Hands of the engine, of all sorts of players."""
    rnd = random.Random(seed)
    for _ in range(count):
        a, b = (rnd.choice([random_spec(rnd), "simple", "threshold(knock=-1)"]) for _ in range(2))
        yield replay(a, b, rnd.randrange(1 << 36), rnd.randrange(1 << 36), rules, rnd.randrange(2))


@cache
def played() -> tuple[Replay, ...]:
    """Under all presets, rules at random, and those where rare things happen."""
    rnd = random.Random(4)
    found = [hand for i, preset in enumerate(PRESETS.values()) for hand in hands(preset.rules, 25, i)]
    found += [hand for i in range(200) for hand in hands(random_rules(rnd), 1, 100 + i)]
    return tuple(found + [hand for i, rules in enumerate(RARE) for hand in hands(Rules.parse(rules), 30, 1000 + i)])


def test_hands_of_the_engine_are_read_as_they_were_written() -> None:
    for hand in played():
        record = of_replay(hand)
        text = str(record)
        assert parse_hands(text) == [record], text
        for form, other in (("record", text), ("json", json.dumps(hand.as_dict())), ("text", str(hand))):
            assert notation_of(other) == form
            assert read_text_of_hands(other) == [record], other


def test_hands_of_the_engine_come_out_as_they_did() -> None:
    endings, rare = Counter[str](), Counter[str]()
    for hand in played():
        record = of_replay(hand)
        outcome = walk(record).outcome
        assert outcome is not None
        assert (outcome.ending, outcome.winner, outcome.points) == (hand.ending, hand.record["winner"], hand.record["points"])
        assert outcome.knocker == hand.record["knocker"]
        bare = walk(changed(record, shown=(None, None), result=None)).outcome  # laid out as the engine does
        assert bare is not None
        assert (bare.ending, bare.winner, bare.points) == (hand.ending, hand.record["winner"], hand.record["points"])
        endings[hand.ending] += 1
        stocks = [move.stock for move in hand.moves]
        rare["reshuffle"] += any(later > earlier for earlier, later in itertools.pairwise(stocks))
        rare["wall"] += hand.rules.stock_end == "last_discard" and hand.moves[-1].stock <= 2 and hand.moves[-1].taken
        rare["refused at the wall"] += hand.moves[-1].refusal
        rare["no draw"] += record.turns[0].action == "discard"
        rare["laid off"] += hand.record["laid_off"] > 0
        rare["doubled"] += hand.record["multiplier"] > 1
    assert set(endings) == set(H.ENDINGS), endings
    assert all(rare.values()), rare


# What players saw


def asked(hand: Replay) -> Seen:
    """The decisions of the engine in the same hand."""
    found: Seen = []
    starter = hand.record["starter"]

    def watch(t: np.ndarray, slots: Any) -> None:
        def noted(player: int, kind: int, decide: Any) -> Any:
            def decision(view: np.ndarray, params: np.ndarray) -> int:
                before = view.copy()
                answer = int(decide(view, params))
                if t[RECORD, H.PLAY] == starter:
                    found.append((player, KINDS[kind], before, answer))
                return answer

            return decision

        for player in range(2):
            slots[player] = [noted(player, kind, decide) for kind, decide in enumerate(slots[player])]

    pair = [Strategy.parse(hand.a), Strategy.parse(hand.b)]
    GinSession(pair, hand.rules, hand.seed, "hands", np.array([[0, 1], [1, 0]]), 1, watch=watch).play(hand.deal, 1)
    return found


def told(view: np.ndarray) -> list[int]:
    """What a view says: all slots of the engine but the random stream, and the logs as far as they go."""
    logs = view[V.OWN_LOG : V.OWN_LOG + 2 * view[V.TURN]], view[V.OPP_LOG : V.OPP_LOG + 2 * view[V.OPP_TURN]]
    slots = [slot for slot in range(V.MEMORY) if slot not in (V.RANDOM, V.DEADWOOD)]
    return [*view[slots].tolist(), *(number for log in logs for number in log.tolist())]


def as_asked(decisions: tuple[Decision, ...]) -> list[Decision]:
    """Those that the engine asks for: big gin instead of a discard, nothing at the showdown."""
    return [
        decision for decision in decisions
        if decision.kind in (UPCARD, DRAW, KNOCK) or (decision.kind == DISCARD and decision.action != "big gin")
    ]  # fmt: skip


def answer_of(decision: Decision) -> int:
    if decision.kind == DISCARD:
        return decision.cards[0]
    return int(decision.action in ("take", "knock", "big gin"))


def test_players_saw_in_the_record_what_the_engine_showed_them() -> None:
    kinds = Counter[str]()
    for hand in played()[::3]:
        walked = as_asked(walk(of_replay(hand)).decisions)
        engine = asked(hand)
        said = [(decision.player, "draw" if decision.kind == UPCARD else decision.kind) for decision in walked]
        assert said == [(player, kind) for player, kind, _, _ in engine]
        for decision, (_, kind, view, answer) in zip(walked, engine, strict=True):
            assert told(decision.view) == told(view), (str(hand), decision)
            assert answer_of(decision) == answer
            if kind == KNOCK:
                assert decision.view[V.DEADWOOD] == view[V.DEADWOOD]
            kinds[decision.kind] += 1
    assert all(kinds[kind] > 50 for kind in (UPCARD, DRAW, DISCARD, KNOCK)), kinds


@pytest.mark.parametrize("rules", ["eaai", "tournament"])
def test_advice_is_given_on_every_decision_of_a_record(rules: str) -> None:
    decisions = walk(of_replay(replay("simple", "simple", 12, 5, rules))).decisions
    for decision in decisions:
        if decision.kind in (UPCARD, DRAW, DISCARD):
            choices = advise_on(decision.position, rollouts=2).choices
            card = 0 if decision.action in ("draw", "pass") else decision.cards[0]
            assert (decision.action, card) in [(choice.action, choice.card) for choice in choices]
        else:
            with pytest.raises(InputError, match=f"position: there is none at the decision {decision.kind}"):
                decision.position  # noqa: B018


# Hands of which one player's cards are not known


def hidden(record: RecordedHand, player: int, shown: bool = True) -> RecordedHand:
    """As the other player would write it down."""
    return changed(
        record,
        dealt=tuple(None if p == player else cards for p, cards in enumerate(record.dealt)),
        turns=tuple(
            changed(turn, drawn=0) if turn.player == player and turn.action == "draw" else turn for turn in record.turns
        ),
        shown=record.shown if shown else tuple(None if p == player else what for p, what in enumerate(record.shown)),
    )


def said(decision: Decision) -> tuple[int, int, str, str, tuple[int, ...]]:
    return decision.turn, decision.player, decision.kind, decision.action, decision.cards


def test_a_player_sees_the_same_whether_the_other_hand_is_known_or_not() -> None:
    of_the_other = 0
    for i, hand in enumerate(played()[::2]):
        record = of_replay(hand)
        whole, player = walk(record), i % 2
        half = hidden(record, player, shown=i % 4 < 2)
        assert parse_hands(str(half)) == [half]
        walked = walk(half)
        mine, theirs = ([d for d in walked.decisions if d.player == p] for p in (1 - player, player))
        wanted = [d for d in whole.decisions if d.player != player and (d.kind != LAY_OFF or i % 4 < 2)]
        assert [said(decision) for decision in mine] == [said(decision) for decision in wanted]
        assert [told(decision.view) for decision in mine] == [told(decision.view) for decision in wanted]
        of_the_other += len(theirs)
        for decision in theirs:  # the end of the hand, back to the last card that was not seen
            before = next(d for d in whole.decisions if said(d) == said(decision))
            assert decision.view[V.HAND] == before.view[V.HAND]
        assert (walked.outcome is None) == (whole.outcome is None)
        assert walked.outcome is not None and whole.outcome is not None
        assert (walked.outcome.ending, walked.outcome.points) == (whole.outcome.ending, whole.outcome.points)
    assert of_the_other > 100


def test_what_is_worked_out_is_what_was() -> None:
    rnd = random.Random(8)
    worked_out = 0
    for hand in played()[::2]:
        record = of_replay(hand)
        share = rnd.choice([0.1, 0.3, 0.7])
        turns = tuple(changed(t, drawn=0) if t.action == "draw" and rnd.random() < share else t for t in record.turns)
        dealt = tuple(None if rnd.random() < 0.3 else cards for cards in record.dealt)
        shown = tuple(None if rnd.random() < 0.3 else what for what in record.shown)
        whole, walked = walk(record), walk(changed(record, turns=turns, dealt=dealt, shown=shown))
        for at, turn in enumerate(turns):
            assert walked.known.drawn[at] in (0, record.turns[at].drawn)
            worked_out += walked.known.drawn[at] != turn.drawn
            both = zip(walked.known.hands[at], whole.known.hands[at], strict=True)
            assert all(held in (None, held_then) for held, held_then in both)
        views = {(d.turn, d.player, d.kind, d.action, d.view[V.CHOSEN] != 0): d for d in whole.decisions}
        for decision in walked.decisions:
            then = views[decision.turn, decision.player, decision.kind, decision.action, decision.view[V.CHOSEN] != 0]
            slots = [slot for slot in range(V.MEMORY) if slot not in (V.RANDOM, V.DEADWOOD)]
            assert decision.view[slots].tolist() == then.view[slots].tolist()
    assert worked_out > 100


def test_what_can_be_worked_out_is_known() -> None:
    text = """
        hand A: 4S 4H 4D 9C 10C JC KD 2S 8D AH
        upcard: 6H
        A takes, discards KD
        B draws, discards 3C     # not seen
        A draws, discards 7S     # 7S was the card
        B draws 9S, discards 9S
        A draws, discards 8D     # one of two that A drew, so it is open which
        B takes 8D, discards QD
        A draws 5S, discards 6H
        B takes 6H, discards KH, knocks
        B melds 6H 6D 6S | 8D 8S 8H, unmatched AC 2D 3H 3S
        result: B 1
    """
    (hand,) = parse_hands(text)
    walked = walk(hand)
    known = walked.known
    assert [format_hand(card) for card in known.drawn] == ["6H", "", "7S", "9S", "", "8D", "5S", "6H"]
    assert known.hands[3][0] == known.hands[1][0] == parse_hand("4S 4H 4D 9C 10C JC 6H 2S 8D AH")
    assert known.hands[5][0] is None
    final = parse_hand("6H 6D 6S 8D 8S 8H AC 2D 3H 3S")
    assert known.hands[8][1] == final
    assert known.hands[7][1] == parse_hand("KH 6D 6S 8D 8S 8H AC 2D 3H 3S")
    assert known.hands[5][1] == parse_hand("KH 6D 6S QD 8S 8H AC 2D 3H 3S")
    assert {(d.turn, d.kind) for d in walked.decisions if d.player == 1} >= {(7, "draw"), (7, "discard"), (7, "knock")}
    assert walked.outcome is not None and walked.outcome.points == 1  # as it is said: it is not known what A held
    assert walk(changed(hand, result=None)).outcome is None


def test_a_record_may_end_anywhere() -> None:
    record = of_replay(replay("simple", "simple", 4711, 1, "eaai"))
    for length in range(len(record.turns) + 1):
        cut = changed(record, turns=record.turns[:length], shown=(None, None), result=None)
        if length:  # and before a discard
            last = changed(cut.turns[-1], discard=0, ending="") if cut.turns[-1].action != "pass" else cut.turns[-1]
            cut = changed(cut, turns=(*cut.turns[:-1], last))
        assert parse_hands(str(cut)) == [cut]
        assert walk(cut).outcome is None
        assert walk(changed(cut, result=Result("unfinished"))).outcome is None


# The notation


def example() -> str:
    """The one of the module's docstring."""
    text = str(notation.__doc__).split("::\n")[1].split("\nThe grammar")[0]
    return "\n".join(line.removeprefix("    ") for line in text.split("\n"))


def test_the_example_is_a_hand() -> None:
    (hand,) = parse_hands(example())
    assert hand.names == ("Ann", "Bert") and hand.starter == 0 and hand.score == (35, 18)
    walked = walk(hand)
    assert walked.outcome is not None and walked.outcome.points == 39 and walked.outcome.knocker_deadwood == 8
    assert parse_hands(str(hand)) == [hand]


def test_freedom_of_writing() -> None:
    plain = "upcard: 6H\nhand A: A23.456.789.T\nA passes\nB takes 6H, discards KC\nA draws 5S, discards 10S, knocks"
    free = "  # first\nUPCARD:♥6 # c\r\nHand a: C2 CA C3 D4,D5;D6 H7H8H9 S10\n\n\ta PASS\n b take discard kC\n"
    free += "A draw s5 discards TS goes gin"
    (one,), (other,) = parse_hands(plain), parse_hands(free)
    assert other == changed(one, turns=(*one.turns[:-1], changed(one.turns[-1], ending="gin")))
    assert parse_hands("\ufeff" + plain) == [one]


@pytest.mark.parametrize("name", ["Ann", "Ann #1", '"', '"Ann"', "back\\slash", " spaces ", "#", "a:b", "Ænn: Ø", '\\"', ""])
def test_names_and_notes_are_kept_as_they_are(name: str) -> None:
    hand = RecordedHand(names=(name, "B"), note=name, game=name, upcard=1)
    (again,) = parse_hands(str(hand))
    assert (again.names, again.note, again.game) == (hand.names, hand.note, hand.game)


def test_what_holds_for_the_next_hand() -> None:
    text = """
        rules: pagat
        A: Ann
        game: first
        score: 20 5
        boxes: 1 1
        upcard: 6H
        A passes
        result: A 30
        upcard: 7H
        B passes
        result: dead
        upcard: 8H
        result: B 95 undercut
        game: second
        A: Anna
        upcard: 9H
    """
    found = parse_hands(text)
    assert [str(hand.rules) for hand in found] == ["pagat"] * 4
    assert [hand.names[0] for hand in found] == ["Ann", "Ann", "Ann", "Anna"]
    assert [hand.score for hand in found] == [(20, 5), (50, 5), (50, 5), (0, 0)]
    assert [hand.boxes for hand in found] == [(1, 1), (2, 1), (2, 1), (0, 0)]
    assert [hand.starter for hand in found] == [0, 1, 0, 0]
    assert parse_hands(all_as_text(found)) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "line 1, column 1: found 'x', expected a turn or what was shown"),
        ("\n  foo: 3", "line 2, column 3: there is no header 'foo'; known: rules"),
        ("upcrad: 6H", "line 1, column 1: there is no header 'upcrad'; did you mean 'upcard'?"),
        ("rules: eai", "line 1, column 8: rules: there is no 'eai'; did you mean 'eaai'?"),
        ("rules: house", "line 1, column 8: rules: house is the table game"),
        ("rules: eaai(x=1)", "line 1, column 8: rules: there is no field 'x'"),
        ("upcard: 6X", "line 1, column 9: '6X' is not a card"),
        ("upcard: ", "line 1, column 9: expected cards"),
        ("upcard: 6H 7H", "line 1, column 9: found 6H 7H, expected one card"),
        ("upcard: 6H\nupcard: 7H", "line 2, column 1: upcard is given twice; the first is in line 1, column 9"),
        ("starter: A\ndealer: A", "line 2, column 1: starter is given twice"),
        ("starter: Ann", "line 1, column 10: found 'Ann', expected A or B"),
        ("hand A: 4S 5S 4s", "line 1, column 15: 4S appears twice"),
        ("hand A: 4S5S4S", "line 1, column 9: '4S' appears twice"),
        ("score: 5", "line 1, column 8: found '5', expected two numbers"),
        ("score: 5 1234567", "line 1, column 8: found '5 1234567', expected two numbers"),
        ('A: "Ann', "line 1, column 4: the quote is not closed"),
        ('A: "Ann" x', "line 1, column 9: found 'x' after the closing quote"),
        ("A: a\x1bb", r"line 1, column 4: 'a\\x1bb' is not allowed: a name cannot contain"),
        ("rules: eaai\n", "line 1, column 1: no hand follows these headers"),
        ("upcard: 6H\nA", "line 2, column 2: the line ends, expected passes, takes, draws"),
        ("upcard: 6H\nA goes", "line 2, column 3: found 'goes', expected passes"),
        ("upcard: 6H\nC passes", "line 2, column 1: found 'C', expected a turn"),
        ("upcard: 6H\nA passes 6H", "line 2, column 10: found '6H', expected the end of the line"),
        ("upcard: 6H\nA takes 7X", "line 2, column 9: '7X' is not a card"),
        ("A takes, discards 4S", "line 1, column 3: there is no upcard to take"),
        ("upcard: 6H\nA draws 7H 8H", "line 2, column 12: found '8H', expected discards, big gin or the end of the line"),
        ("upcard: 6H\nA draws 7H, gin", "line 2, column 13: found 'gin', expected discards, big gin or the end"),
        ("upcard: 6H\nA draws 7H, discards", "line 2, column 13: expected cards"),
        ("upcard: 6H\nA draws 7H, discards 8H 9H", "line 2, column 25: found '9H', expected knocks, gin or the end"),
        ("upcard: 6H\nA draws 7H, discards ?", "line 2, column 22: found '\\?', expected a card: a discard lies face up"),
        ("upcard: 6H\nA draws 7H, discards 8H, knocks 9H", "line 2, column 33: found '9H', expected the end of the line"),
        ("upcard: 6H\nA draws\nB draws", "line 3, column 1: another turn, but the one in line 2, column 1 has no discard"),
        ("upcard: 6H\nA draws, big gin\nB draws", "line 3, column 1: the hand is over: A ended it in line 2"),
        ("upcard: 6H\nA melds none\nB draws", "line 3, column 1: the hand is over, for cards have been shown"),
        ("upcard: 6H\nA melds none\nA unmatched 3H", "line 3, column 1: what A showed is said already in line 2, column 1"),
        ("upcard: 6H\nA melds 3H 4H 5H, unmatched 5H", "line 2, column 1: 5H is shown twice"),
        ("upcard: 6H\nA melds 3H 4H 5H | ", "line 2, column 3: expected cards"),
        ("upcard: 6H\nA melds none, discards 3H", "line 2, column 15: found 'discards', expected lays off, unmatched"),
        ("upcard: 6H\nA lays 3H", "line 2, column 3: found 'lays', expected"),
        ("upcard: 6H\nresult: dead\nA draws", "line 3, column 1: the hand is over; the next one begins with a header"),
        ("upcard: 6H\nresult: dead\nresult: dead", "line 3, column 1: the hand has a result already"),
        ("upcard: 6H\nresult: C 5", "line 2, column 9: found 'C 5', expected who won how many points"),
        ("upcard: 6H\nresult: A -5", "line 2, column 9: found 'A -5', expected who won"),
        (
            "game: 1\nupcard: 6H\nA passes\nupcard: 7H",
            "line 4, column 1: say the score: it is the same game '1', but the hand before",
        ),
        ("game: 1\nupcard: 6H\nresult: A 5\nscore: 6 0\nupcard: 7H", "line 4, column 8: the score is 5 0 after the hand before"),
        ("game: 1\nupcard: 6H\nresult: A 105\nupcard: 7H", "line 4, column 1: the game ended with the hand before, at 105 to 0"),
        ("rules: hollywood\ngame: 1\nupcard: 6H\nresult: A 5\nupcard: 7H", "line 5, column 1: say the score: .* three columns"),
    ],
)
def test_errors_name_line_and_column(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_hands(text)


@pytest.mark.parametrize(
    "line", ["a" + " " * 200_000 + "b", "a " * 100_000, "A: " + '"' * 200_000, "note: " + "# " * 100_000, "A " * 100_000]
)
def test_long_lines_take_no_time(line: str) -> None:
    start = time.perf_counter()
    with pytest.raises(InputError):
        parse_hands(f"{line}\n{line}")
    assert time.perf_counter() - start < 5


def test_hands_are_texts() -> None:
    with pytest.raises(InputError, match="hands: 5 is not a text"):
        parse_hands(5)  # type: ignore[arg-type]


# What the rules do not allow

BASE = """
hand A: 4S 4H 4D 9C 10C JC KD 2S 8D AH
hand B: 6D 6S 8S 8H QD KH AC 2D 3H 3S
upcard: 6H
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hand A: 4S\nupcard: 6H", "line 1, column 9: 1 cards are given; classic25 deals 10"),
        ("hand A: A23.456.789.T\nupcard: 7H", "line 2, column 9: 7H cannot be dealt twice"),
        ("hand A: A23.456.789.T", "line 1, column 1: classic25 begins with an upcard; say which"),
        ("rules: classic25(ranks=9, hand_size=5)\nupcard: KH", "line 2, column 9: KH is not in the deck of classic25"),
        ("score: 100 3\nupcard: KH", "line 1, column 8: at 100 to 3 the game is over; both are below 100"),
        (
            "rules: classic25(eleven_card_start=true, upcard_offer=false)\nupcard: 6H",
            "line 2, column 9: classic25.* has no upcard; leave it out",
        ),
        (
            "rules: classic25(eleven_card_start=true, upcard_offer=false)\nhand A: A23.456.789.TJ\nA draws 4S, discards JS",
            "line 3, column 1: A discards first, without drawing",
        ),
        (BASE + "starter: A\nB passes", "line 6, column 1: B is not on turn, A is"),
        (BASE + "A draws 5S, discards KD", "line 5, column 1: A may take the first upcard, 6H, or pass"),
        (BASE + "A discards KD", "line 5, column 1: A may take the first upcard, 6H, or pass"),
        (BASE + "A takes 7H, discards KD", "line 5, column 9: A cannot take 7H: 6H lies on top of the pile"),
        (BASE + "A passes\nB passes\nA takes 6H, discards KD", "line 7, column 1: both passed 6H: A must draw from the stock"),
        (BASE + "A passes\nB passes\nA passes", "line 7, column 1: both passed 6H: A must draw"),
        (BASE + "A takes, discards 6H", "line 5, column 19: 6H was just taken .*; A may discard 2S 4S AH 4H 4D 8D KD 9C 10C JC"),
        (BASE + "A takes, discards QS", "line 5, column 19: A does not hold QS, but 2S 4S AH 4H 6H"),
        (BASE + "A takes, discards KH", "line 5, column 19: A cannot discard KH: it is in B's hand"),
        (
            BASE + "A takes, discards KD\nB draws KD, discards QD",
            "line 6, column 9: B cannot draw KD from the stock: it is in the pile",
        ),
        (
            BASE + "A takes, discards KD\nB draws 6H, discards QD",
            "line 6, column 9: B cannot draw 6H from the stock: it is in A's hand",
        ),
        (
            BASE + "A takes, discards KD\nB draws KH, discards QD",
            "line 6, column 9: B cannot draw KH from the stock: it is in B's hand",
        ),
        (BASE + "A takes, discards KD\nB passes", "line 6, column 1: B may take KD or draw from the stock"),
        (
            BASE + "A takes, discards 8D, knocks",
            "line 5, column 23: A may not knock yet: classic25 allows that from a player's turn 2 on",
        ),
        (
            BASE + "A takes, discards KD\nB draws 5C, discards QD\nA draws 5S, discards 8D, knocks",
            "line 7, column 26: A may not knock with 14: the most is 10; A may go on$",
        ),
        (
            BASE + "A takes, discards KD\nB draws 5C, discards QD\nA draws 3C, discards 3C, knocks",
            "line 7, column 26: A may not knock with 17: the most is 10; A may go on$",
        ),
        (
            BASE + "A takes, discards KD\nB draws 5C, discards QD\nA draws 8C, discards 2S, knocks",
            "may not knock with 15: the most is 10; A may go on, or discard 8D to knock",
        ),
        (
            BASE + "A takes, discards KD\nB draws 5C, discards QD\nA draws 8C, discards 8D, gin",
            "line 7, column 26: that is not gin, because 9 is left; A may knock",
        ),
        (
            BASE + "A takes, discards KD\nB draws 5C, discards QD\nA draws 8C, big gin",
            "line 7, column 13: classic25 does not play big gin; A may discard",
        ),
        (
            "rules: big_gin" + BASE + "A takes, discards KD\nB draws 5C, discards QD\nA draws 8C, big gin",
            "line 7, column 13: big gin needs all cards melded, and 17 is left",
        ),
        (BASE + "A takes, discards KD\nresult: dead", "line 6, column 9: the hand is not dead: 31 cards are left in the stock"),
        (BASE + "A takes, discards KD\nresult: A 5", "line 6, column 9: A cannot have won 5, for nobody knocked"),
        (BASE + "A takes, discards KD\nA unmatched KD", "line 6, column 1: A cannot show KD: it is in the pile"),
        (BASE + "A takes, discards KD\nB unmatched 6H", "line 6, column 1: B cannot show 6H: it is in A's hand"),
        (BASE + "A takes, discards KD\nB unmatched QS", "line 6, column 1: B does not hold QS, but"),
    ],
)
def test_what_is_not_allowed_is_refused_with_its_place(text: str, message: str) -> None:
    (hand,) = parse_hands(text)
    with pytest.raises(InputError, match=message):
        walk(hand)
    walked = walk(hand, lenient=True)
    assert re.search(message, str(walked.faults[0]))
    marked = as_text(hand, walked.marks)
    assert f"# not allowed: {walked.faults[0].text}" in marked
    assert parse_hands(marked) == [hand]


LAID = BASE + """
A takes, discards KD
B draws 5C, discards QD
A draws 8C, discards 8D, knocks
"""
"""A knocks with 9: 4S 4H 4D | 8C 9C 10C JC and AH 2S 6H against 6D 6S 8S 8H 5C KH AC 2D 3H 3S."""


@pytest.mark.parametrize(
    ("shown", "outcome"),
    [
        ("", "A 43 knock (9 against 52)"),
        ("A melds 4S 4H 4D | 8C 9C 10C JC\nB melds none, unmatched 6D 6S 8S 8H 5C KH AC 2D 3H 3S", "A 43 knock (9 against 52)"),
        ("A unmatched 2S AH 6H\nB unmatched 6D 6S 8S 8H 5C KH AC 2D 3H 3S", "A 43 knock (9 against 52)"),
        ("A melds 4S 4H 4D | 9C 10C JC", "line 9, column 1: 17 is left as it is laid out, and the most to knock with is 10"),
        ("A melds 4S 4H 4C", "line 9, column 1: A does not hold 4C, but"),
        ("A melds 4S 4H", "line 9, column 1: 4S 4H is no meld"),
        ("A melds 4S 4H 4D | 8C 9C 10C JC, unmatched 2S", "line 9, column 1: AH 6H is neither melded, laid off nor unmatched"),
        ("A melds 4S 4H 4D | 8C 9C 10C JC, unmatched 2S AH 6H 6D", "line 9, column 1: A cannot show 6D: it is in B's hand"),
        ("A melds 4S 4H 4D | 8C 9C 10C JC, lays off 6H", "line 9, column 1: who knocked lays nothing off"),
        ("A unmatched AH 6H", "line 9, column 1: .* cannot all be melded"),
        ("B lays off 5C", "line 9, column 1: 5C cannot be laid off on these melds"),
        ("B lays off 7C", "line 9, column 1: B does not hold 7C"),
        ("result: A 43", "A 43 knock (9 against 52)"),
        ("result: A 43 undercut", r"line 9, column 9: by the rules it is A 43 knock \(9 against 52\)"),
        ("result: A 42", r"line 9, column 9: by the rules it is A 43 knock"),
        ("result: B 43", r"line 9, column 9: by the rules it is A 43 knock"),
        ("result: dead", r"line 9, column 9: by the rules it is A 43 knock"),
    ],
)
def test_what_is_laid_down(shown: str, outcome: str) -> None:
    (hand,) = parse_hands(LAID + shown)
    if outcome.startswith("line"):
        with pytest.raises(InputError, match=outcome):
            walk(hand)
        assert walk(hand, lenient=True).faults
    else:
        assert str(walk(hand).outcome) == outcome


LAY_OFFS = """
rules: classic25({rule})
hand A: 4S 4H 4D 9C 10C JC KD 2S 8D AH
hand B: 4C QC KC 8S 8H 8C AC 2D 3H 7S
upcard: 6H
A passes
B passes
A draws 3C, discards KD
B draws 5D, discards 5D
A draws 2C, discards 8D, knocks
{shown}
"""


@pytest.mark.parametrize(
    ("rule", "shown", "outcome"),
    [
        ("layoff=optimal", "", "A 5 knock (8 against 13)"),
        ("layoff=none", "", "A 29 knock (8 against 37)"),
        ("layoff=optimal", "B melds 8S 8H 8C, lays off 4C QC KC, unmatched AC 2D 3H 7S", "A 5 knock (8 against 13)"),
        ("layoff=optimal", "B melds none, lays off 4C 8C QC KC", "A 21 knock (8 against 29)"),
        ("layoff=optimal", "B lays off QC", "A 19 knock (8 against 27)"),
        ("layoff=after_melds", "B melds 8S 8H 8C, lays off 4C", "A 25 knock (8 against 33)"),
        ("layoff=optimal", "B lays off KC", "line 11, column 1: KC cannot be laid off on these melds"),
        ("layoff=none", "B lays off 4C", "line 11, column 1: nothing may be laid off"),
        (
            "layoff=after_melds", "B melds none, lays off 4C 8C",
            "line 11, column 1: under .* melds for the least deadwood, 37, and",
        ),
    ],
)
def test_lay_offs(rule: str, shown: str, outcome: str) -> None:
    (hand,) = parse_hands(LAY_OFFS.format(rule=rule, shown=shown).replace("(layoff=optimal)", ""))
    if outcome.startswith("line"):
        with pytest.raises(InputError, match=outcome):
            walk(hand)
    else:
        walked = walk(hand)
        assert str(walked.outcome) == outcome
        laid = [decision for decision in walked.decisions if decision.kind == LAY_OFF]
        assert [decision.player for decision in laid] == [1] * ("melds" in shown)


def test_nothing_is_laid_off_on_gin() -> None:
    text = """
        rules: classic25({rule})
        hand A: 4S 4H 4D 9C 10C JC KD QC 8D 3D
        hand B: 4C AS KC 8S 8H 8C AC 2D 5H 7S
        upcard: 6H
        A passes
        B passes
        A draws 3C, discards 8D
        B draws 5D, discards 5D
        A draws 3S, discards KD, gin
        B melds 8S 8H 8C, lays off 4C
    """
    (hand,) = parse_hands(text.replace("({rule})", ""))
    with pytest.raises(InputError, match="line 11, column 9: nothing may be laid off on gin"):
        walk(hand)
    (hand,) = parse_hands(text.replace("{rule}", "layoff_on_gin=true"))
    assert str(walk(hand).outcome).startswith("A 51 gin (0 against 26)")


# A stock that runs out

WALL = """
rules: classic25(stock_end=last_discard, ranks=5, hand_size=5, knock_limit={limit})
hand A: AS 2H 4H 5D 3C
hand B: AH 2S 4C 5S 3D
upcard: 2D
A passes
B passes
A draws 5C, discards 5C
B draws 4D, discards 4D
A draws AC, discards 5D
B draws 2C, discards 5S
A draws AD, discards 2H
B draws 4S, discards 3D
A draws 3S, discards 4H
{rest}
"""
"""Two cards are left, and with 4H B could knock with 3."""


@pytest.mark.parametrize(
    ("limit", "rest", "ending"),
    [
        (10, "", ""), (10, "B passes", "dead"), (10, "result: dead", "dead"), (10, "B passes\nresult: dead", "dead"),
        (3, "B takes, discards 2S, knocks", "knock"), (2, "", "dead"), (2, "B passes", "dead"), (2, "result: dead", "dead"),
    ],
)  # fmt: skip
def test_the_last_discard(limit: int, rest: str, ending: str) -> None:
    (hand,) = parse_hands(WALL.format(limit=limit, rest=rest))
    walked = walk(hand)
    assert (walked.outcome.ending if walked.outcome else "") == ending
    asked_at_the_wall = [decision.action for decision in walked.decisions if decision.view[V.WALL] and decision.kind == DRAW]
    assert asked_at_the_wall == {"knock": ["take"], "dead": ["pass"] if limit == 10 else []}.get(ending, [])
    unknown = walk(hidden(hand, 1))  # whether B could have knocked cannot be known
    assert (unknown.outcome is None) == (rest in ("", "B takes, discards 2S, knocks"))


@pytest.mark.parametrize(
    ("limit", "rest", "message"),
    [
        (10, "B draws 3H, discards 2S", "line 15, column 1: the stock has run out: B may take 4H to knock, or pass"),
        (10, "B takes, discards 2S", "line 15, column 1: the last discard may be taken only to knock: B must knock, or pass"),
        (3, "B takes, discards AH, knocks", "line 15, column 19: without AH B could not knock, .*; B may discard 2S 2C"),
        (2, "B takes, discards 2S, knocks", "line 15, column 1: the hand is over: the stock has run out"),
        (2, "B passes\nA passes", "line 15, column 1: the hand is over: the stock has run out"),
        (10, "B passes\nA passes", "line 16, column 1: the hand is over: the stock has run out"),
        (10, "result: A 5", "line 15, column 9: A cannot have won 5, for nobody knocked"),
        (2, "result: stalled", "line 15, column 9: the hand is not stalled: it is dead"),
    ],
)
def test_what_is_wrong_at_the_end_of_the_stock(limit: int, rest: str, message: str) -> None:
    (hand,) = parse_hands(WALL.format(limit=limit, rest=rest))
    with pytest.raises(InputError, match=message):
        walk(hand)
    assert re.search(message, str(walk(hand, lenient=True).faults[0]))


def test_too_many_turns() -> None:
    text = "rules: classic25(max_turns=2, min_turns_before_knock=0)" + BASE + "A takes, discards KD\nB takes, discards QD\n"
    assert str(walk(parse_hands(text)[0]).outcome) == "stalled"
    with pytest.raises(InputError, match="line 7, column 1: the hand is over: 2 turns have been played"):
        walk(parse_hands(text + "A takes, discards 8D")[0])


def test_a_knock_of_a_hand_that_was_not_known_is_checked_when_it_is_shown() -> None:
    text = BASE.replace("hand B", "# hand B") + "A takes, discards KD\nB draws, discards QD\n"
    text += "A draws 8C, discards 8D\nB draws, discards 5C, "
    shown = "\nB melds 6D 6S 6C, unmatched KH AC 2D 3H 3S 8S 8H"
    (hand,) = parse_hands(text + "knocks" + shown)
    with pytest.raises(InputError, match="line 9, column 1: 35 is left as it is laid out, and the most to knock with is 10"):
        walk(hand)
    (hand,) = parse_hands(text + "gin" + shown.replace("KH AC 2D 3H 3S 8S 8H", "AC 2D") + " 3H 3S 3D 3C 4C")
    with pytest.raises(InputError, match="line 9, column 1: that is not gin: 19 is left"):
        walk(hand)
    (hand,) = parse_hands(LAID.replace("hand B", "# hand B").replace("draws 5C", "draws ?") + "A melds 4S 4H 8C")
    with pytest.raises(InputError, match="line 9, column 1: 4S 4H 8C is no meld"):
        walk(hand)


def test_what_is_no_record() -> None:
    with pytest.raises(InputError, match="hand: 'x' is not a recorded hand"):
        walk("x")  # type: ignore[arg-type]


def test_what_cannot_be_ends_a_lenient_walk() -> None:
    (hand,) = parse_hands(BASE + "A takes, discards 6H\nB draws 5C, discards QS\nA draws 2C, discards 2C")
    walked = walk(hand, lenient=True)
    assert [fault.turn for fault in walked.faults] == [0, 1]
    assert [decision.fault != "" for decision in walked.decisions] == [False, True, False]
    assert walked.outcome is None


# Other notations


@pytest.mark.parametrize("number", range(len(OPENSPIEL)))
def test_histories_of_openspiel_come_out_as_there(number: int) -> None:
    game = OPENSPIEL[number]
    hand = of_actions(game["actions"], game["game"])
    assert parse_hands(str(hand)) == [hand]
    outcome = walk(hand).outcome
    if outcome is None:
        assert hand.result == Result("unfinished") and hand.note.startswith("stopped by a rule of OpenSpiel's: ")
        assert game["returns"] == [0, 0]
        return
    points = outcome.points * (1 - 2 * outcome.winner) if outcome.winner >= 0 else 0
    assert [points, -points] == game["returns"]
    if outcome.knocker >= 0:
        first, second = outcome.knocker_deadwood, outcome.defender_deadwood
        assert game["deadwood"] == [first, second][:: 1 - 2 * outcome.knocker]


def test_histories_of_openspiel_end_in_all_ways() -> None:
    outcomes = [walk(of_actions(game["actions"], game["game"])).outcome for game in OPENSPIEL]
    assert {outcome.ending if outcome else "" for outcome in outcomes} >= {"", "knock", "gin", "undercut", "dead", "push"}


def test_histories_of_openspiel_may_be_cut_anywhere() -> None:
    for game in OPENSPIEL[::5]:
        for length in range(21, len(game["actions"])):
            hand = of_actions(game["actions"][:length], game["game"])
            outcome = walk(hand).outcome
            assert outcome is None or outcome.ending == "dead"  # where it is clear that nobody can knock
            assert parse_hands(str(hand)) == [hand]


def test_texts_of_openspiel() -> None:
    actions = OPENSPIEL[0]["actions"]
    hand = of_actions(actions)
    lines = "\n".join(map(str, actions))
    head = "# Automatically generated by OpenSpiel SerializeGameAndState\n[Meta]\nVersion: 1\n\n[Game]\n"
    texts = [json.dumps(actions), f"{actions}\n", lines, " ".join(map(str, actions)), f"{head}gin_rummy()\n[State]\n{lines}\n\n"]
    for text in texts:
        assert read_text_of_hands(text) == [hand], text[:50]
    other = f"{head}gin_rummy(knock_card=5,oklahoma=False)\n[State]\n{lines}\n"
    assert read_text_of_hands(other)[0].rules.knock_limit == 5
    assert read_text_of_hands(f"{actions}\n{actions}") == read_text_of_hands(f"[{actions}, {actions}]") == [hand, hand]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a: a[:20], "actions: 20 given; the deal alone has 21"),
        (lambda a: [*a[:5], a[0], *a[6:]], r"actions\[5\]: .* is dealt twice"),
        (lambda a: [*a[:5], 52, *a[6:]], r"actions\[5\]: found 52, expected a card dealt \(0 to 51\)"),
        (lambda a: [*a[:21], 53], r"actions\[21\]: found 53, expected 52 or 54 \(take, pass\)"),
        (lambda a: [*a[:21], 54, 54, 54], r"actions\[23\]: found 54, expected 52 or 53 \(take, draw\)"),
        (lambda a: [*a[:21], 52, 53], r"actions\[22\]: found 53, expected a discard"),
        (lambda a: [*a[:21], 300], r"actions\[21\]: 300 is not an action; they are 0 to 240"),
        (lambda a: [*a[:21], "x"], r"actions\[21]: 'x' is not an action"),
        (lambda a: [*a[:21], True], r"actions\[21]: True is not an action"),
        (lambda a: [*a, 54], r"actions\[\d+\]: found 54, expected nothing, for the hand is over"),
    ],
)
def test_what_is_no_history(change: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        of_actions(change(OPENSPIEL[0]["actions"]))


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("poker()", "game: 'poker' is not gin_rummy"),
        ("gin_rummy(num_ranks=7)", "game: num_ranks=7 cannot be read; only num_ranks=13 can"),
        ("gin_rummy(x=7)", "game: gin_rummy has no parameter 'x'; it has knock_card"),
        ("gin_rummy(", "column"),
    ],
)
def test_games_that_cannot_be_read(game: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rules_of_game(game)


def test_rules_of_openspiel() -> None:
    plain = "eaai(tie=push, layoff=optimal, stock_end=last_discard, redraw_ban=false"
    assert rules_of_game("gin_rummy()") == Rules.parse(f"{plain})")
    assert rules_of_game("gin_rummy(oklahoma=True,gin_bonus=20)") == Rules.parse(f"{plain}, oklahoma=true, gin_bonus=20)")
    assert rules_of_game("gin_rummy(knock_card=0,undercut_bonus=10)").knock_limit == 0


PBN = """
[FF "4"]
[DT "2025.08.15"]
[Player1 "p1"]
[Player2 "p2"]
[GameScore "63:0"]
[Dealer "2"]
[Deal "C2 S3 C5 D6 S6 H7 C8 C9 DQ SQ, HA DA C3 D4 H6 C6 S8 CJ SJ DK"]
[Upcard "HQ"]
[Score "0:25"]
[Play]
1. 1 x
2. 2 y
"""


def test_headers_in_brackets() -> None:
    assert notation_of(PBN) == "pbn"
    (hand,) = read_text_of_hands(PBN, "eaai")
    assert hand.names == ("p1", "p2") and hand.starter == 0 and str(hand.rules) == "eaai"
    assert [format_hand(cards) for cards in (hand.upcard, *hand.dealt)] == [
        "QH", "3S 6S QS 7H 6D QD 2C 5C 8C 9C", "8S JS AH 6H AD 4D KD 3C 6C JC",
    ]  # fmt: skip
    assert hand.note == "FF 4; DT 2025.08.15; GameScore 63:0; Score 0:25; 2 lines of moves under [Play] were not read"
    assert walk(hand).outcome is None
    assert parse_hands(str(hand)) == [hand]
    assert parse_pbn(PBN + PBN.replace('"2"', '"1"'))[1].starter == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[FF", "FF", r"line 2, column 1: found 'FF \"4\"\]', expected a header"),
        ("C2 S3", "C2 X3", "line 8, column 8: 'X3' is not a card"),
        (", HA", " HA", "line 8, column 8: found 1 hands, expected two"),
        ('"HQ"', '"HQ HK"', "line 9, column 10: found 'HQ HK', expected one card"),
        ('[Dealer "2"]', '[Dealer "3"]', "line 7, column 10: found '3', expected 1 or 2"),
        ("[Deal ", "[Dael ", r"line 2, column 6: there is no \[Deal"),
    ],
)
def test_headers_that_cannot_be_read(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_text_of_hands(PBN.replace(old, new), notation="pbn")
    (hand,) = parse_pbn(PBN.replace("HA DA", "HA C2"))
    with pytest.raises(InputError, match="line 8, column 8: 2C cannot be dealt twice"):
        walk(hand)


@cache
def data() -> str:
    return json.dumps(replay("simple", "simple", 4711, 1, "eaai").as_dict())


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["rules"], 5, "rules: 5 is not allowed; expected a text"),
        (["rules"], "x", "rules: there is no 'x'"),
        (["strategies"], ["a"], r"strategies: \['a'\] is not allowed; expected a list of 2"),
        (["strategies", 0], "a\x1b", "a name cannot contain"),
        (["score"], [1, -1], r"score\[1\]: -1 is not allowed; expected a whole number from 0"),
        (["upcard"], "3C 4C", "upcard: '3C 4C' is not allowed; expected one card"),
        (["upcard"], "3X", "upcard: '3X' is not a card"),
        (["dealt", 0, "melds"], None, r"dealt\[0\].melds: None is not allowed; expected a list"),
        (["moves"], {}, "moves: {} is not allowed; expected a list"),
        (["moves", 3], 5, r"moves\[3\]: 5 is not allowed; expected an object"),
        (["moves", 3], {}, r"moves\[3\]: there is no player"),
        (["moves", 3, "player"], 2, r"moves\[3\].player: 2 is not allowed; expected a whole number from 0 to 1"),
        (["moves", 3, "player"], True, r"moves\[3\].player: True is not allowed"),
        (["moves", 3, "taken"], 1, r"moves\[3\].taken: 1 is not allowed; expected true or false"),
        (["moves", 3, "knock"], 1, r"moves\[3\].knock: 1 is not allowed; expected true, false or null"),
        (["moves", 3, "knock"], True, r"moves\[3\].knock: True is not allowed; expected false or null, for the hand goes on"),
        (["moves", 3, "discard"], "3C 4C", r"moves\[3\].discard: '3C 4C' is not allowed; expected one card"),
        (["record"], None, "record: None is not allowed; expected an object"),
        (["record", "ending"], "x", "record.ending: 'x' is not allowed; expected one of knock"),
        (["record", "winner"], 3, "record.winner: 3 is not allowed"),
    ],
)
def test_data_that_is_no_hand(path: list[Any], value: Any, message: str) -> None:
    changed_data = json.loads(data())
    at = changed_data
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    with pytest.raises(InputError, match=message):
        read_text_of_hands(json.dumps(changed_data))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1, column 2: .* in JSON"),
        ('{"a": 1,\n  b}', "line 2, column 3: .* in JSON"),
        ("{}", "hand 1: hand: there is no record"),
        ("[5.5]", r"hand 1: hand: 5.5 is not allowed; expected an object"),
        ('[{"record": 1}, 2]', "hand 1: "),
        ("[" * 100_000, "too many brackets|is no text|in JSON|is no action"),
        ("[]", "there is no hand in it"),
        ("", "there is no hand in it"),
        ("# nothing", "there is no hand in it"),
        ("Deal 1, seed 2, play 3; rules x", "line 1, column 31: rules: there is no 'x'"),
        ("Deal 1, seed 2, play 3; rules eaai\nnonsense", "line 2, column 1: found 'nonsense', which is no line of a replay"),
        ("Deal 1, seed 2, play 3; rules eaai\n    A passes 3X", "line 2, column 1: found|line 2, column 14"),
        ("Deal 1, seed 2, play 3; rules eaai\n  1 A draws 3X, discards 4S", "line 2, column 13: '3X' is not a card"),
    ],
)
def test_texts_that_hold_no_hand(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_text_of_hands(text)


def test_faults_in_other_notations_name_their_place() -> None:
    told = json.loads(data())
    turn = next(i for i, move in enumerate(told["moves"]) if "turn" in move)
    told["moves"][turn]["discard"] = "KH"
    (hand,) = read_text_of_hands(json.dumps(told))
    with pytest.raises(InputError, match=rf"moves\[{turn}\]\.discard: A does not hold KH|moves\[{turn}\]\.discard: A cannot"):
        walk(hand)
    actions = list(OPENSPIEL[0]["actions"])
    turn = next(turn for turn in of_actions(actions).turns if turn.discard)
    at = int(turn.place("discard").removeprefix("actions[").removesuffix("]"))
    actions[at] = actions[10 - 10 * turn.player]  # of the other player
    with pytest.raises(InputError, match=rf"actions\[{at}\]: {'AB'[turn.player]} cannot discard"):
        walk(of_actions(actions))


# Damage


def damaged(text: str, rnd: random.Random) -> str:
    """A text with something wrong in it."""
    lines = text.split("\n")
    at = rnd.choice([i for i, line in enumerate(lines) if line])
    words = lines[at].split(" ")
    how = rnd.randrange(6)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(at, lines[at])
    elif how == 2:
        lines[at : at + 2] = lines[at : at + 2][::-1]
    elif how == 3:
        words[rnd.randrange(len(words))] = rnd.choice(["4S", "KD", "?", "knocks", "passes", "takes", "gin", "none", "|", "x"])
        lines[at] = " ".join(words)
    elif how == 4:
        place = rnd.randrange(len(lines[at]))
        lines[at] = lines[at][:place] + rnd.choice('AB7SC?|:#,"\\ \t\x00\u2028é') + lines[at][place + 1 :]
    else:
        lines[at] = lines[at][: rnd.randrange(len(lines[at]))]
    return "\n".join(lines)


def refused(text: str) -> str:
    """Why a text is refused, if it is; what it holds is written as it was read, and a lenient walk goes through."""
    try:
        for found in parse_hands(text):
            assert parse_hands(str(found)) == [found]
            walked = walk(found, lenient=True)
            assert parse_hands(as_text(found, walked.marks)) == [found]
            for player in range(2):
                walk(hidden(found, player), lenient=True)
            walk(found)
    except InputError as error:
        return str(error)
    return ""


def test_damaged_records_are_refused_with_the_place() -> None:
    rnd = random.Random(7)
    found = [why for hand in played() if (why := refused(damaged(str(of_replay(hand)), rnd)))]
    assert len(found) > 300
    assert all(re.match(r"line \d+, column \d+: ", why) for why in found)


# Files and the commands


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def test_files(tmp_path: Path) -> None:
    hand = of_replay(replay("simple", "simple", 4711, 1, "eaai"))
    file = tmp_path / "hand.txt"
    file.write_text(str(hand), encoding="utf-8")
    assert read_hands(file) == read_hands(str(file), notation="record") == [hand]
    assert parse_hands(run("record", str(file))) == [hand]
    for text, message in (("x", "hand.txt: line 1, column 1: "), ("", "hand.txt: there is no hand in it")):
        file.write_text(text)
        with pytest.raises(InputError, match=message):
            read_hands(file)
        assert message in run("record", str(file), code=2)
    file.write_bytes(b"\xff\xfe")
    assert "it is not UTF-8 text" in run("record", str(file), code=2)
    assert "No such file" in run("record", str(tmp_path / "none"), code=2)
    with pytest.raises(InputError, match="file: 5 is not allowed"):
        read_hands(5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="notation: there is no 'jsn'; did you mean 'json'"):
        read_text_of_hands("x", notation="jsn")


def test_commands(tmp_path: Path) -> None:
    words = ("simple", "simple", "--deal", "4711", "--seed", "1", "--rules", "eaai", "--format")
    files = []
    for form in ("record", "json", "text"):
        files.append(str(tmp_path / form))
        Path(files[-1]).write_text(run("replay", *words, form), encoding="utf-8")
    found = parse_hands(run("record", *files))
    assert len(found) == 3 and len(set(map(str, found))) == 1
    text = str(found[0]).replace("\nhand A", "\nhand A", 1)
    last = found[0].turns[-1]
    Path(files[0]).write_text(f"{text}\n\n{text.replace(', knocks', '').replace(', gin', '')}")
    assert "hand 2: line " in run("record", files[0], code=2)
    marked = run("record", files[0], "--lenient")
    assert "# not allowed: " in marked and last.ending
    assert "there is no notation for hands of the table game" in run(
        "replay", "expert", "novice", "--deal", "1", "--rules", "house", "--format", "record", code=2
    )
