"""Points of a hand, and the settling of games and Hollywood matches."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginsim.errors import InputError
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.scoring import (
    Game,
    HandResult,
    HandScore,
    format_scoresheet,
    parse_results,
    parse_results_csv,
    read_results,
    score_hand,
    settle,
    upcard_effect,
)

CASES = json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))["cases"]


def cases(kind):
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]


def rules_of(case, **more):
    fields = dict(case["rules"])
    return Rules(box_bonus=fields.pop("box"), **fields, **more)


@pytest.mark.parametrize("case", cases("oklahoma"))
def test_oklahoma_cases(case):
    rules = Rules(oklahoma=True, spades_double=True, oklahoma_ace=case["ace_rule"])
    assert upcard_effect(case["upcard"], rules) == (case["expect"]["limit"], case["expect"]["multiplier"])


@pytest.mark.parametrize(
    ("spec", "upcard", "effect"),
    [
        ("classic25", "6S", (10, 1)),
        ("straight", "6S", (0, 1)),
        ("oklahoma", "6S", (6, 1)),
        ("classic25(spades_double=true)", "6S", (10, 2)),
        ("classic25(spades_double=true)", "6C", (10, 1)),
        ("tournament", "AS", (0, 2)),
        ("tournament(ace_value=15, oklahoma_ace=one)", "AS", (1, 2)),
        ("tournament", "KS", (10, 2)),
        ("tournament", 1 << 4, (5, 2)),
    ],
)
def test_upcards(spec, upcard, effect):
    assert upcard_effect(upcard, Rules.parse(spec)) == effect


@pytest.mark.parametrize("upcard", ["", "XS", "6S 7S", 0, 3, 1 << 13, 1 << 63, None, True, -1, b"6S"])
def test_refuses_upcards(upcard):
    with pytest.raises(InputError, match="upcard: "):
        upcard_effect(upcard, Rules())


@pytest.mark.parametrize("case", cases("score"))
def test_score_cases(case):
    rules = Rules(gin_bonus=case["gin_bonus"], undercut_bonus=case["undercut_bonus"], tie=case["tie"])
    score = score_hand(case["knocker_deadwood"], case["opp_deadwood"], rules, gin=case["gin"])
    side = {"knocker": "knocker", "opponent": "defender"}[case["expect"]["winner"]]
    assert (score.winner, score.points) == (side, case["expect"]["points"])


@pytest.mark.parametrize(
    ("spec", "deadwood", "options", "expected"),
    [
        ("classic25", (7, 18), {}, ("knocker", 11, "knock")),
        ("classic25", (7, 18), {"multiplier": 2}, ("knocker", 22, "knock")),
        ("classic25", (9, 6), {"multiplier": 2}, ("defender", 56, "undercut")),
        ("classic25", (9, 9), {}, ("defender", 25, "undercut")),
        ("classic25(tie=push)", (9, 9), {}, (None, 0, "push")),
        ("classic25(tie=knocker)", (9, 9), {}, ("knocker", 0, "knock")),
        ("classic25(tie=push)", (9, 8), {}, ("defender", 26, "undercut")),
        ("classic25", (0, 0), {"gin": True}, ("knocker", 25, "gin")),
        ("classic25(tie=push)", (0, 0), {}, ("knocker", 25, "gin")),
        ("classic25", (0, 24), {"gin": True, "multiplier": 2}, ("knocker", 98, "gin")),
        ("big_gin", (0, 24), {"big_gin": True}, ("knocker", 55, "big_gin")),
        ("big_gin(big_gin_bonus=0)", (0, 24), {"gin": True, "big_gin": True}, ("knocker", 24, "big_gin")),
        ("pagat", (0, 24), {}, ("knocker", 44, "gin")),
        ("eaai(undercut_bonus=0)", (5, 5), {}, ("defender", 0, "undercut")),
    ],
)
def test_scores(spec, deadwood, options, expected):
    assert score_hand(*deadwood, Rules.parse(spec), **options) == HandScore(*expected)


@pytest.mark.parametrize(
    ("deadwood", "options", "named"),
    [
        ((-1, 5), {}, "knocker_deadwood=-1"),
        ((5, -1), {}, "defender_deadwood=-1"),
        ((5.0, 5), {}, "knocker_deadwood=5.0"),
        ((True, 5), {}, "knocker_deadwood=True"),
        ((10**9, 5), {}, "from 0 to 999999999"),
        ((3, 5), {"gin": True}, "knocker_deadwood=3"),
        ((3, 5), {"big_gin": True}, "knocker_deadwood=3"),
        ((0, 5), {"big_gin": True}, "big_gin_bonus=none"),
        ((3, 5), {"multiplier": 0}, "multiplier=0"),
    ],
)
def test_refuses_scores(deadwood, options, named):
    with pytest.raises(InputError, match=named):
        score_hand(*deadwood, Rules(), **options)


@pytest.mark.parametrize("case", cases("match"))
def test_match_cases(case):
    game = settle([tuple(hand) for hand in case["hands"]], rules_of(case))
    assert game.finished
    expect = case["expect"]
    assert {key: getattr(game, key) for key in expect} == {
        key: tuple(value) if isinstance(value, list) else value for key, value in expect.items()
    }


@pytest.mark.parametrize("case", cases("hollywood"))
def test_hollywood_cases(case):
    match = settle([tuple(hand) for hand in case["hands"]], rules_of(case, hollywood=True))
    for column, expect in zip(match.columns, case["expect"]["columns"], strict=True):
        found = {key: getattr(column, key) for key in expect}
        assert json.loads(json.dumps(found)) == expect
    log = [["void"] if hand.winner is None else list(hand) for hand in match.log]
    assert json.loads(json.dumps(log)) == case["expect"]["log"]
    assert list(match.net) == case["expect"]["net"]
    assert match.finished and match.winner == 0 and match.margin == 576 and match.shutout


def test_example_of_the_rules():
    game = settle(parse_results("A 23, B 18, A 41, dead, B 35, A 44"), Rules())
    assert (game.points, game.boxes, game.totals) == ((108, 53), (3, 2), (283, 103))
    assert (game.winner, game.margin, game.shutout, game.net) == (0, 180, False, (180, -180))


def test_unfinished_game():
    game = settle([(0, 30), (1, 45)], Rules())
    assert not game.finished
    assert (game.points, game.boxes, game.totals) == ((30, 45), (1, 1), (55, 70))
    assert (game.winner, game.margin, game.net, game.shutout) == (None, 0, (0, 0), False)
    assert settle([], Rules()).totals == (0, 0)


def test_unfinished_hollywood():
    match = settle(parse_results("A23 A41 A44 B36"), Rules.parse("hollywood(shutout=double_total)"))
    assert [column.closed for column in match.columns] == [True, False, False]
    assert not match.finished and match.winner is None and match.margin == 0
    assert match.net == (566, -566)


def test_third_column_counts_double():
    hands = parse_results("A23 A41 A44 B36 - B12 A17 B60 B33")
    rules = Rules.parse("hollywood(shutout=double_total, third_column_double=true)")
    assert settle(hands, rules).net == (566 + 179 - 2 * 169, -(566 + 179 - 2 * 169))


def test_late_winner_starts_in_the_lowest_open_column():
    match = settle([(0, 100), (1, 10)], Rules(hollywood=True))
    assert match.log[1].columns == (2,)  # B's first win, but the first column is closed
    assert match.columns[0].boxes == (1, 0)


def test_reach_grows_to_three():
    match = settle([(0, 1)] * 4, Rules(hollywood=True))
    assert [hand.columns for hand in match.log] == [(1,), (1, 2), (1, 2, 3), (1, 2, 3)]
    assert match.points == (4 + 3 + 2, 0)


def test_boxes_can_outweigh_the_game():
    game = settle([(1, 5)] * 10 + [(0, 100)], Rules(game_bonus=0))
    assert game.winner == 0 and game.totals == (125, 300) and game.margin == -175
    assert game.net == (-175, 175)


def test_extra_boxes_count_as_boxes():
    game = settle(parse_results("A60+1 B10+2 A40"), Rules())
    assert game.boxes == (3, 3)


def test_winning_nothing_still_wins_a_box():
    game = settle([(1, 0), (0, 100)], Rules(tie="knocker"))
    assert game.boxes == (1, 1) and not game.shutout


def test_game_goes_on_hand_by_hand():
    game = Game(Rules(target=50))
    game.add(0, 30)
    assert not game.finished and game.settlement().points == (30, 0)
    game.add(None, 0)
    game.add(1, 50)
    assert game.finished and game.settlement().winner == 1


@pytest.mark.parametrize("late", [(0, 5), (None, 0)])
@pytest.mark.parametrize("spec", ["classic25", "hollywood"])
def test_refuses_hands_after_the_end(spec, late):
    hands = [(0, 100)] if spec == "classic25" else [(0, 100), (0, 100), (0, 100)]
    with pytest.raises(InputError, match=f"hand {len(hands) + 1} comes after the end"):
        settle([*hands, late], Rules.parse(spec))


@pytest.mark.parametrize(
    ("hand", "named"),
    [
        ((2, 5), "hand 1: winner=2"),
        ((-1, 5), "hand 1: winner=-1"),
        (("A", 5), "hand 1: winner='A'"),
        ((True, 5), "hand 1: winner=True"),
        ((0, -5), "hand 1: points=-5"),
        ((0, 2.5), "hand 1: points=2.5"),
        ((0, None), "hand 1: points=None"),
        ((0, 5, -1), "hand 1: extra_boxes=-1"),
        ((None, 5), "hand 1: points=5 without a winner"),
        ((None, 0, 1), "without a winner"),
        ((0,), "is not a result"),
        ((0, 5, 1, 1), "is not a result"),
        (5, "5 is not a result"),
        ((0, 10**5000), "hand 1: points=.* from 0 to 999999999"),
    ],
)
def test_refuses_results(hand, named):
    with pytest.raises(InputError, match=named):
        settle([hand], Rules())


wins = st.tuples(st.integers(0, 1), st.integers(0, 60))
hands = st.one_of(wins, wins, wins, st.just((None, 0)))


@given(
    st.lists(hands, max_size=60), st.sampled_from(["classic25", "hollywood", "pagat", "hollywood(target=1)"])
)
def test_sums_agree(played, spec):
    rules = Rules.parse(spec)
    game = Game(rules)
    for hand in played:
        if not game.finished:
            game.add(*hand)
    result = game.settlement()
    assert result.finished == game.finished
    assert sum(result.net) == 0
    for number, column in enumerate(result.columns, start=1):
        entered = [hand for hand in result.log if number in hand.columns]
        for player in (0, 1):
            own = [hand.points for hand in entered if hand.winner == player]
            assert (column.points[player], column.boxes[player]) == (sum(own), len(own))
        assert column.closed == (max(column.points) >= rules.target)
        if column.closed:
            assert column.winner is not None
            assert column.points[1 - column.winner] < rules.target
            bonus = column.game_bonus + column.shutout_bonus
            expected = sum(column.points) + rules.box_bonus * sum(column.boxes) + bonus
            assert sum(column.totals) == expected
    assert format_scoresheet(result)


@pytest.mark.parametrize(
    "text",
    ["A23 B18 A41 - B35", "a23,b18,a41,dead,b35", " A 23; B 18\nA 41\n-\nB 35\n", "A23 B18 A41 void B35"],
)
def test_parses_results(text):
    expected = [(0, 23), (1, 18), (0, 41), (None, 0), (1, 35)]
    assert parse_results(text) == [HandResult(*hand) for hand in expected]


def test_parses_extra_boxes():
    assert parse_results("A23+1 B0+12") == [HandResult(0, 23, 1), HandResult(1, 0, 12)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "no results"),
        (" , ", "no results"),
        ("A23 C18", "result 2, 'C18'"),
        ("A", "result 1, 'A'"),
        ("A-5", "result 1, 'A-5'"),
        ("A2.5", "result 1, 'A2.5'"),
        ("A23+", r"result 1, 'A23\+'"),
        ("23", "result 1, '23'"),
        ("A23B18", "result 1, 'A23B18'"),
        ("A٣", "result 1, 'A٣'"),
        ("A1_0", "result 1, 'A1_0'"),
        ("x" * 10**6, "…', cannot be read"),
    ],
)
def test_refuses_result_texts(text, named):
    with pytest.raises(InputError, match=named):
        parse_results(text)


@pytest.mark.parametrize(
    "text",
    [
        "winner,points\nA,23\nB,18\n,0\n",
        "winner,points\r\n0,23\r\n1,18\r\n,\r\n",
        "\ufeffPoints, Winner\n23, a\n18, b\n0, none\n",
        "winner,points,extra_boxes\nA,23,\nB,18,0\n-,0,\n",
    ],
)
def test_parses_csv(text):
    assert parse_results_csv(text) == [HandResult(0, 23), HandResult(1, 18), HandResult(None, 0)]


def test_parses_csv_extra_boxes():
    assert parse_results_csv("winner,points,extra_boxes\nA,23,2\n") == [HandResult(0, 23, 2)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "columns must be winner, points"),
        ("A,23\n", "columns must be winner, points"),
        ("winner,points,colour\nA,23,red\n", "columns must be winner, points"),
        ("winner,winner,points\nA,A,23\n", "columns must be winner, points"),
        ("winner,points\nC,23\n", "CSV line 2, 'C,23'"),
        ("winner,points\nA,23\nB,many\n", "CSV line 3, 'B,many'"),
        ("winner,points\nA,23,7\n", "CSV line 2"),
        ("winner,points\nA,1_0\n", "CSV line 2, 'A,1_0'"),
        ("winner,points\nA,٣\n", "CSV line 2, 'A,٣'"),
        ("winner,points\nA,-3\n", "CSV line 2, 'A,-3'"),
        ("winner,points\nA," + "1" * 200_000, "cannot be read: field larger than field limit"),
    ],
)
def test_refuses_csv(text, named):
    with pytest.raises(InputError, match=named):
        parse_results_csv(text)


def test_reads_files(tmp_path):
    pad, table = tmp_path / "pad.txt", tmp_path / "table.csv"
    pad.write_text("A23 B18", encoding="utf-8")
    table.write_text("\ufeffwinner,points\nA,23\nB,18\n", encoding="utf-8")
    assert read_results(pad) == read_results(str(table)) == [HandResult(0, 23), HandResult(1, 18)]
    with pytest.raises(InputError, match="nowhere"):
        read_results(tmp_path / "nowhere.csv")


def test_sheet_of_a_game():
    sheet = format_scoresheet(settle(parse_results("A23 B18 A41 - B35 A44"), Rules()), ("Ann", "Bob"))
    assert sheet.splitlines() == [
        "hand                    Ann    Bob",
        "  1  Ann 23              23",
        "  2  Bob 18                     18",
        "  3  Ann 41              64",
        "  4  no score",
        "  5  Bob 35                     53",
        "  6  Ann 44             108",
        "----------------------------------",
        "points                  108     53",
        "boxes at 25           3: 75  2: 50",
        "game bonus              100",
        "total                   283    103",
        "----------------------------------",
        "The game: Ann wins by 180.",
    ]


def test_sheet_of_a_shutout():
    rules = Rules(box_bonus=20, shutout="double_points")
    sheet = format_scoresheet(settle(parse_results("A30 A45 A31"), rules))
    assert "shutout                 106" in sheet.splitlines()
    assert sheet.endswith("The game: A wins by 372 with a shutout.")
    sheet = format_scoresheet(
        settle(parse_results("A30 A45 A31"), rules.replace(shutout="double_difference"))
    )
    assert sheet.endswith("The game: A wins by 532 with a shutout, which doubles the difference.")


def test_sheet_of_an_unfinished_game():
    sheet = format_scoresheet(settle(parse_results("A30"), Rules()))
    assert sheet.endswith("The game is not finished: nobody has 100 points yet.")


def test_sheet_of_a_hollywood_match():
    rules = Rules.parse("hollywood(shutout=double_total)")
    sheet = format_scoresheet(settle(parse_results("A23 A41 A44 B36 - B12 A17 B60 B33"), rules)).splitlines()
    assert sheet[0].split() == ["column", "1", "column", "2", "column", "3"]
    assert sheet[4].split() == ["3", "A", "44", "108", "85", "44"]
    assert "total                   566      0      277     98      111    280" in sheet
    assert sheet[-4:] == [
        "Column 1: A wins by 566 with a shutout.",
        "Column 2: A wins by 179.",
        "Column 3: B wins by 169.",
        "Net: A +576, B -576.",
    ]
    sheet = format_scoresheet(settle(parse_results("A23"), rules.replace(third_column_double=True)))
    assert sheet.endswith("Net so far: A +0, B +0.")


@pytest.mark.parametrize("names", [("A",), ("A", "A"), ("A", "B", "C")])
def test_sheet_refuses_names(names):
    with pytest.raises(InputError, match="two different names"):
        format_scoresheet(settle([], Rules()), names)


def test_rules_may_be_text_and_numbers_numpys():
    played = [(0, 5), (np.int64(1), np.int16(30), np.int8(1)), (None, 0)]
    settled = settle(played, "classic25")
    assert settled == settle([(0, 5), (1, 30, 1), (None, 0)], Rules())
    assert type(settled.totals[1]) is int
    assert score_hand(np.int32(9), np.int64(6), "classic25", multiplier=np.int8(2)) == score_hand(9, 6, Rules(), multiplier=2)
    assert upcard_effect(np.int64(1 << 4), "oklahoma") == (5, 1)


@pytest.mark.parametrize(
    ("results", "rules", "named"),
    [
        (None, Rules(), "results: None is not allowed"),
        ("A23", Rules(), "results: 'A23' is not allowed"),
        (5, Rules(), "results: 5 is not allowed"),
        ([(0, 5)], None, "rules: None is neither"),
        ([(0, 5)], "classic26", "rules: there is no 'classic26'"),
    ],
)
def test_refuses_to_settle(results, rules, named):
    with pytest.raises(InputError, match=named):
        settle(results, rules)


@pytest.mark.parametrize("path", ["a\0b", "y" * 5000, "."])
def test_files_that_cannot_be_read(path):
    with pytest.raises(InputError, match="cannot be read") as error:
        read_results(path)
    assert len(str(error.value)) < 500
