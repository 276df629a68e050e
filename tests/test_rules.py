"""Rules: presets, text form, validation, and the array the jitted code reads."""

import itertools
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ginsim import layout as D
from ginsim.cards import parse_hand
from ginsim.errors import InputError
from ginsim.games.catalog import Strategy
from ginsim.games.gin import layout as R
from ginsim.games.gin.rules import PRESETS, Rules
from ginsim.games.rules import allowed
from ginsim.simulation.play import GAMES, HANDS, Work, play
from ginsim.specs import parse_spec
from tests.oracle.cards import Pack, full_deck
from tests.oracle.melds import deadwood

FIELDS = list(Rules.model_fields)

PUBLISHED = {
    "classic25": {
        "gin_bonus": 25, "undercut_bonus": 25, "big_gin_bonus": None, "knock_limit": 10, "oklahoma": False,
        "oklahoma_ace": "gin_only", "spades_double": False, "min_turns_before_knock": 1, "upcard_offer": True,
        "eleven_card_start": False, "tie": "undercut", "layoff": "optimal", "layoff_on_gin": False,
        "stock_end": "dead_at_2", "redraw_ban": True, "wrap": False, "ace_value": 1, "hand_size": 10,
        "ranks": 13, "suits": 4, "target": 100, "game_bonus": 100, "box_bonus": 25, "shutout": "bonus_x2",
        "next_dealer": "alternate", "hollywood": False, "third_column_double": False, "max_turns": 200,
    },
    "classic20": {
        "gin_bonus": 20, "undercut_bonus": 10, "min_turns_before_knock": 0, "game_bonus": 0, "box_bonus": 0,
        "shutout": "none",
    },
    "pagat": {
        "gin_bonus": 20, "undercut_bonus": 10, "big_gin_bonus": 31, "oklahoma_ace": "one",
        "min_turns_before_knock": 0, "box_bonus": 20, "next_dealer": "loser",
    },
    "eaai": {
        "min_turns_before_knock": 0, "layoff": "after_melds", "game_bonus": 0, "box_bonus": 0,
        "shutout": "none",
    },
    "oklahoma": {"oklahoma": True},
    "straight": {"knock_limit": 0},
    "hollywood": {"hollywood": True},
    "big_gin": {"big_gin_bonus": 31},
    "round_the_corner": {
        "wrap": True, "ace_value": 15, "gin_bonus": 20, "undercut_bonus": 20, "target": 125,
        "layoff_on_gin": True,
    },
    "tournament": {"oklahoma": True, "spades_double": True, "stock_end": "last_discard"},
}  # fmt: skip


def test_every_preset_is_published():
    assert list(PRESETS) == list(PUBLISHED)
    assert list(PUBLISHED["classic25"]) == FIELDS


@pytest.mark.parametrize("name", PUBLISHED)
def test_presets(name):
    rules = Rules.preset(name)
    assert rules.model_dump() == PUBLISHED["classic25"] | PUBLISHED[name]
    assert str(rules) == name
    assert Rules.parse(name) == rules == Rules.parse(f"{name}()")
    description = PRESETS[name].description
    assert description and "\n" not in description


def test_defaults_are_classic25():
    assert Rules() == Rules.parse("classic25")


def test_every_field_is_described_in_one_line():
    for name, field in Rules.model_fields.items():
        assert field.description and "\n" not in field.description, name
        assert allowed(name, Rules)


def test_values():
    rules = Rules.parse("classic25(knock_limit=5)")
    assert (
        rules
        == Rules(knock_limit=5)
        == Rules.preset("classic25", knock_limit=5)
        == Rules().replace(knock_limit=5)
    )
    assert hash(rules) == hash(Rules(knock_limit=5))
    assert rules != Rules()
    assert Rules.parse(rules) is rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert eval(repr(rules)) == rules
    with pytest.raises(ValueError, match="frozen"):
        rules.knock_limit = 6


@pytest.mark.parametrize(
    ("spec", "shortest"),
    [
        ("classic25(oklahoma=true)", "oklahoma"),
        ("classic25(oklahoma=true, gin_bonus=30)", "oklahoma(gin_bonus=30)"),
        ("classic25(oklahoma=true, spades_double=true)", "oklahoma(spades_double=true)"),
        ("classic25(big_gin_bonus=50)", "classic25(big_gin_bonus=50)"),
        ("big_gin(big_gin_bonus=none)", "classic25"),
        ("pagat(tie=push, big_gin_bonus=none)", "pagat(big_gin_bonus=none, tie=push)"),
        (
            "classic25(upcard_offer=false, eleven_card_start=true)",
            "classic25(upcard_offer=false, eleven_card_start=true)",
        ),
    ],
)
def test_text_is_the_shortest(spec, shortest):
    rules = Rules.parse(spec)
    assert str(rules) == shortest
    assert Rules.parse(shortest) == rules


VALUES = {
    "gin_bonus": [0, 20, 25, 1000], "undercut_bonus": [0, 10, 25], "big_gin_bonus": [None, 0, 31, 50],
    "knock_limit": [0, 5, 10, 100], "oklahoma": [False, True], "oklahoma_ace": ["gin_only", "one"],
    "spades_double": [False, True], "min_turns_before_knock": [0, 1, 2], "upcard_offer": [False, True],
    "tie": ["undercut", "push", "knocker"], "layoff": ["optimal", "after_melds"],
    "stock_end": ["dead_at_2", "dead_at_0", "last_discard", "reshuffle"], "redraw_ban": [False, True],
    "wrap": [False, True], "ace_value": [1, 15], "hand_size": [3, 7, 10], "ranks": [12, 13],
    "suits": [2, 3, 4],
    "target": [1, 100, 125], "game_bonus": [0, 100], "box_bonus": [0, 20, 25],
    "shutout": ["none", "bonus_x2", "double_points", "double_total", "double_difference"],
    "next_dealer": ["alternate", "loser", "winner"], "hollywood": [False, True], "max_turns": [50, 200],
}  # fmt: skip


def accepted(preset, changes):
    """Rules with those of the changes that have an effect; None if they make no game."""
    try:
        idle = Rules._of(Rules.preset(preset).model_dump() | changes)._without_effect()
        return Rules.preset(preset, **{field: value for field, value in changes.items() if field not in idle})
    except InputError:
        return None


@given(
    st.sampled_from(list(PRESETS)),
    st.fixed_dictionaries({}, optional={k: st.sampled_from(v) for k, v in VALUES.items()}),
)
def test_text_round_trip(preset, changes):
    rules = accepted(preset, changes)
    assume(rules is not None)
    assert Rules.parse(str(rules)) == rules == Rules.of_fields(rules.model_dump())


@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        ("knock_limit", True, "a whole number from 0 to 100"),
        ("knock_limit", 3.5, "a whole number from 0 to 100"),
        ("knock_limit", 3.0, "a whole number from 0 to 100"),
        ("knock_limit", "3", "a whole number from 0 to 100"),
        ("knock_limit", None, "a whole number from 0 to 100"),
        ("knock_limit", [1, 2], "a whole number from 0 to 100"),
        ("knock_limit", np.arange(2), "a whole number from 0 to 100"),
        ("knock_limit", -1, "a whole number from 0 to 100"),
        ("knock_limit", 101, "a whole number from 0 to 100"),
        ("knock_limit", np.float64(3), "a whole number from 0 to 100"),
        ("gin_bonus", -1, "a whole number from 0 to 1000"),
        ("undercut_bonus", 1001, "a whole number from 0 to 1000"),
        ("big_gin_bonus", False, "a whole number from 0 to 1000 or none"),
        ("big_gin_bonus", -1, "a whole number from 0 to 1000 or none"),
        ("oklahoma", 1, "true or false"),
        ("wrap", "yes", "true or false"),
        ("redraw_ban", None, "true or false"),
        ("oklahoma_ace", "two", "one of gin_only, one"),
        ("tie", "draw", "one of undercut, push, knocker"),
        ("tie", None, "one of undercut, push, knocker"),
        ("layoff", "None", "one of optimal, after_melds, none"),
        ("layoff", True, "one of optimal, after_melds, none"),
        ("stock_end", "dead", "one of dead_at_2, dead_at_0, last_discard, reshuffle"),
        ("shutout", 2, "one of none, bonus_x2, double_points, double_total, double_difference"),
        ("next_dealer", "", "one of alternate, loser, winner"),
        ("ace_value", 11, "one of 1, 15"),
        ("ace_value", True, "one of 1, 15"),
        ("ace_value", np.True_, "one of 1, 15"),
        ("oklahoma", np.True_, "true or false"),
        ("tie", "\ud800", "one of undercut, push, knocker"),
        ("ace_value", 15.0, "one of 1, 15"),
        ("hand_size", 2, "a whole number from 3 to 10"),
        ("hand_size", 11, "a whole number from 3 to 10"),
        ("ranks", 14, "a whole number from 3 to 13"),
        ("suits", 1, "a whole number from 2 to 4"),
        ("suits", 5, "a whole number from 2 to 4"),
        ("target", 0, "a whole number from 1 to 10000"),
        ("min_turns_before_knock", 11, "a whole number from 0 to 10"),
        ("game_bonus", -1, "a whole number from 0 to 1000"),
        ("box_bonus", 1001, "a whole number from 0 to 1000"),
        ("max_turns", 1, "a whole number from 2 to 400"),
    ],
)
def test_refuses_values(field, value, wanted):
    message = f"{field}={value!r} is not possible: it must be {wanted}"
    for attempt in (Rules, Rules().replace, lambda **changes: Rules.preset("pagat", **changes)):
        with pytest.raises(InputError) as error:
            attempt(**{field: value})
        assert str(error.value) == message


def test_names_every_bad_field():
    with pytest.raises(InputError, match=r"gin_bonus=-1(.|\n)*knock_limit=101"):
        Rules.parse("classic25(knock_limit=101, gin_bonus=-1)")


def test_none_as_a_word_and_as_a_value():
    assert Rules.parse("classic25(big_gin_bonus=none)").big_gin_bonus is None
    rules = Rules(layoff="none", shutout="none")
    assert Rules.parse("classic25(layoff=none, shutout=none)") == rules == Rules(layoff=None, shutout=None)
    assert str(rules) == "classic25(layoff=none, shutout=none)"


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("classic25(hand_size=10, ranks=5)", ["hand_size=10", "24 cards", "ranks=5", "suits=4", "20"]),
        ("classic25(suits=2, ranks=11)", ["hand_size=10", "suits=2", "22"]),
        ("classic25(eleven_card_start=true)", ["upcard_offer=true", "eleven_card_start=true", "no upcard"]),
        ("oklahoma(eleven_card_start=true, upcard_offer=false)", ["oklahoma=true", "eleven_card_start=true"]),
        (
            "classic25(spades_double=true, eleven_card_start=true, upcard_offer=false)",
            ["spades_double=true", "eleven_card_start=true"],
        ),
        ("round_the_corner(layoff=none)", ["layoff_on_gin=true", "layoff=none"]),
        ("classic25(third_column_double=true)", ["third_column_double=true", "hollywood=true"]),
        (
            "classic25(min_turns_before_knock=10, max_turns=20)",
            ["min_turns_before_knock=10", "max_turns=20", "21"],
        ),
        ("classic25(knock_limt=5)", ["'knock_limt'", "did you mean 'knock_limit'?"]),
        ("classic25(zzz=5)", ["'zzz'", "known: gin_bonus"]),
        ("clasic25", ["'clasic25'", "did you mean 'classic25'?"]),
        ("zzz", ["'zzz'", "known: classic25"]),
        ("classic25(knock_limit=5", ["',' or ')'"]),
    ],
)
def test_refuses_specs(spec, parts):
    with pytest.raises(InputError) as error:
        Rules.parse(spec)
    assert [part for part in parts if part not in str(error.value)] == []


def test_refuses_what_is_not_a_spec():
    with pytest.raises(InputError):
        Rules.parse(25)


def test_smallest_decks_are_accepted():
    assert Rules(ranks=6).ranks == 6  # 24 cards: two hands of ten, an upcard, three in the stock
    assert Rules(hand_size=3, ranks=5, suits=2, wrap=True).wrap
    assert Rules(min_turns_before_knock=10, max_turns=21).max_turns == 21


def test_numpy_integers_are_whole_numbers():
    rules = Rules(knock_limit=np.int64(5), ace_value=np.int32(15))
    assert rules == Rules(knock_limit=5, ace_value=15)
    assert type(rules.knock_limit) is int


def points(mask, array):
    return sum((mask & int(array[D.B0 + k])).bit_count() << k for k in range(4))


def test_array_of_classic25():
    array = Rules().array()
    assert array.dtype == np.int64 and array.shape == (D.SIZE,) and array.flags.c_contiguous
    assert array[:9].tolist()[:2] == [0, 13]
    assert int(array[D.FULL]) == sum(0x1FFF << 16 * suit for suit in range(4))
    assert array[D.HAND_SIZE : R.MAX_TURNS + 1].tolist() == (
        [10, 4, 10, 25, 25, -1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 100, 100, 25, 1, 0, 0, 200]
    )
    assert array[R.KNOCK_LIMIT] == 10
    assert not array[R.KNOCK_LIMIT + 1 :].any()


@pytest.mark.parametrize(
    ("spec", "hand", "expected"),
    [
        ("classic25", "AS 2S 9H 10D JD QC KC", 1 + 2 + 9 + 40),
        ("classic25(ace_value=15)", "AS AH AD AC 2S KC", 60 + 12),
        ("classic25(hand_size=5, ranks=9, suits=3)", "AS 9S 9D", 19),
    ],
)
def test_points_from_the_array(spec, hand, expected):
    assert points(parse_hand(hand), Rules.parse(spec).array()) == expected


def test_array_of_a_short_deck():
    array = Rules(hand_size=7, ranks=8, suits=3, wrap=True).array()
    assert int(array[D.FULL]) == 0xFF | 0xFF << 16 | 0xFF << 32
    assert int(array[D.WRAP_LOW]) == parse_hand("AS 2S AH 2H AD 2D")
    assert array[[D.RANKS, D.SUITS, D.HAND_SIZE]].tolist() == [8, 3, 7]
    for k in range(4):
        assert int(array[D.B0 + k]) & ~int(array[D.FULL]) == 0


@pytest.mark.parametrize(
    ("changes", "slot", "number"),
    [
        ({"knock_limit": 0}, R.LIMIT, 0),
        ({"big_gin_bonus": 31}, R.BIG_GIN_BONUS, 31),
        ({"big_gin_bonus": 0}, R.BIG_GIN_BONUS, 0),
        ({"oklahoma": True}, R.OKLAHOMA, 1),
        ({"oklahoma": True, "oklahoma_ace": "one"}, R.OKLAHOMA, 2),
        ({"spades_double": True}, R.SPADES_DOUBLE, 1),
        ({"min_turns_before_knock": 2}, R.MIN_TURNS, 2),
        ({"upcard_offer": False}, R.OFFER_RULE, 0),
        ({"upcard_offer": False, "eleven_card_start": True}, R.ELEVEN, 1),
        ({"tie": "push"}, R.TIE, 1),
        ({"tie": "knocker"}, R.TIE, 2),
        ({"layoff": "after_melds"}, R.LAYOFF, 1),
        ({"layoff": "none"}, R.LAYOFF, 2),
        ({"layoff_on_gin": True}, R.LAYOFF_ON_GIN, 1),
        ({"stock_end": "dead_at_0"}, R.STOCK_END, 1),
        ({"stock_end": "last_discard"}, R.STOCK_END, 2),
        ({"stock_end": "reshuffle"}, R.STOCK_END, 3),
        ({"redraw_ban": False}, R.REDRAW_BAN, 0),
        ({"shutout": "none"}, R.SHUTOUT, 0),
        ({"shutout": "double_points"}, R.SHUTOUT, 2),
        ({"shutout": "double_total"}, R.SHUTOUT, 3),
        ({"shutout": "double_difference"}, R.SHUTOUT, 4),
        ({"next_dealer": "loser"}, R.NEXT_DEALER, 1),
        ({"next_dealer": "winner"}, R.NEXT_DEALER, 2),
        ({"hollywood": True}, R.HOLLYWOOD, 1),
        ({"hollywood": True, "third_column_double": True}, R.HOLLYWOOD, 2),
    ],
)
def test_slots(changes, slot, number):
    assert Rules(**changes).array()[slot] == number


def test_slots_do_not_overlap():
    named = [pair for module in (D, R) for pair in vars(module).items()]
    slots = [value for name, value in named if name.isupper() and name != "SIZE" and len(name) > 1]
    assert sorted(slots) == list(range(R.KNOCK_LIMIT + 1))
    assert max(slots) < D.SIZE


def test_arrays_are_not_shared():
    array = Rules().array()
    array[R.LIMIT] = 99
    assert Rules().array()[R.LIMIT] == 10


def test_import_is_light():
    code = "import sys, ginsim.games.gin.rules; print(*{'numpy', 'numba', 'pandas', 'matplotlib'} & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == []


@pytest.mark.parametrize(
    ("attempt", "complaint"),
    [
        (lambda: Rules.parse("classic25(self=1)"), "rules: there is no field 'self'"),
        (lambda: Rules(self=1), "rules: there is no field 'self'"),
        (lambda: Rules().replace(self=1, cls=1), "rules: there is no field 'cls'"),
        (lambda: Rules.preset("pagat", cls=1, name=2), "rules: there is no field 'name'"),
        (lambda: Rules.preset(None), "rules: there is no None"),
        (lambda: Rules.preset(["pagat"]), "rules: there is no \\['pagat'\\]"),
        (lambda: Rules.parse(None), "rules: None is neither a spec"),
        (lambda: Rules(5), "rules: 5 has no name"),
        (lambda: Rules(knock_limit=10**5000), "knock_limit=.* a whole number from 0 to 100"),
    ],
)
def test_never_a_type_error(attempt, complaint):
    with pytest.raises(InputError, match=complaint):
        attempt()


def test_long_values_make_short_messages():
    for attempt in (lambda: Rules(knock_limit="x" * 10**6), lambda: Rules.parse("x" * 10**6)):
        with pytest.raises(InputError) as error:
            attempt()
        assert len(str(error.value)) < 400


# Fields without an effect

IDLE = [
    ("oklahoma(knock_limit=7)", "knock_limit=7", "oklahoma=true"),
    ("classic25(knock_limit=10, oklahoma=true)", "knock_limit=10", "oklahoma=true"),
    ("tournament(knock_limit=0)", "knock_limit=0", "oklahoma=true"),
    ("straight(oklahoma=true)", "knock_limit=0", "oklahoma=true"),
    ("classic25(oklahoma_ace=one)", "oklahoma_ace=one", "oklahoma=false"),
    ("classic25(oklahoma_ace=gin_only)", "oklahoma_ace=gin_only", "oklahoma=false"),
    ("pagat(oklahoma_ace=one)", "oklahoma_ace=one", "oklahoma=false"),
    ("oklahoma(oklahoma=false, oklahoma_ace=one)", "oklahoma_ace=one", "oklahoma=false"),
    ("straight(undercut_bonus=10)", "undercut_bonus=10", "knock_limit=0"),
    ("straight(tie=push)", "tie=push", "knock_limit=0"),
    ("classic25(tie=knocker, knock_limit=0)", "tie=knocker", "knock_limit=0"),
    ("straight(layoff=none)", "layoff=none", "layoff_on_gin=false"),
    ("classic20(shutout=bonus_x2)", "shutout=bonus_x2", "game_bonus=0"),
    ("hollywood(game_bonus=0, shutout=bonus_x2)", "shutout=bonus_x2", "game_bonus=0"),
    ("classic25(hand_size=5, ranks=4, gin_bonus=30)", "gin_bonus=30", "hand_size=5 and ranks=4"),
    ("classic25(hand_size=5, ranks=4, layoff_on_gin=true)", "layoff_on_gin=true", "hand_size=5 and ranks=4"),
    ("big_gin(hand_size=4, ranks=4, big_gin_bonus=10)", "big_gin_bonus=10", "hand_size=4 and ranks=4"),
    ("classic25(wrap=true, ranks=3, hand_size=4)", "wrap=true", "ranks=3"),
    ("classic25(stock_end=dead_at_0, max_turns=28)", "stock_end=dead_at_0", "max_turns=28"),
    ("tournament(max_turns=20)", "stock_end=last_discard", "max_turns=20"),
]


@pytest.mark.parametrize(("spec", "field", "beside"), IDLE)
def test_fields_without_an_effect_are_refused(spec, field, beside):
    if spec == "tournament(max_turns=20)":
        assert Rules.parse(spec).stock_end == "last_discard"  # the preset's own
        spec = "classic25(stock_end=last_discard, max_turns=20)"
    with pytest.raises(InputError) as error:
        Rules.parse(spec)
    assert any(line.startswith(f"{field} has no effect with ") and beside in line for line in str(error.value).splitlines())


@pytest.mark.parametrize(
    "spec",
    [
        "classic25(oklahoma=true)", "pagat(oklahoma=true, oklahoma_ace=gin_only)", "pagat(oklahoma=true)",
        "classic20(knock_limit=0)", "eaai(knock_limit=0)", "round_the_corner(knock_limit=0, layoff=after_melds)",
        "classic25(game_bonus=0)",
        "pagat(game_bonus=0)", "hollywood(third_column_double=true)", "classic25(hand_size=5, ranks=4)",
        "classic25(max_turns=10)",
        "eaai(shutout=double_points)", "big_gin(hand_size=4, ranks=5)", "straight(layoff_on_gin=true, layoff=after_melds)",
        "classic25(eleven_card_start=true, upcard_offer=false, min_turns_before_knock=0, max_turns=2)",
    ],
)  # fmt: skip
def test_values_of_a_preset_may_rest(spec):
    rules = Rules.parse(spec)
    assert Rules.parse(str(rules)) == rules == Rules.of_fields(rules.model_dump())


def test_what_loses_its_effect_by_a_change_goes_back_to_its_default():
    assert Rules(knock_limit=5).replace(oklahoma=True) == Rules(oklahoma=True)
    assert Rules(tie="push").replace(knock_limit=0) == Rules.parse("straight")
    assert Rules.parse("oklahoma(oklahoma_ace=one)").replace(oklahoma=False) == Rules()
    assert Rules.parse("pagat(box_bonus=10)") == Rules.parse("pagat").replace(box_bonus=10)
    assert Rules().varied(knock_limit=0, tie="push") == Rules.parse("straight")
    with pytest.raises(InputError, match="knock_limit=7 has no effect with oklahoma=true"):
        Rules().replace(oklahoma=True, knock_limit=7)
    with pytest.raises(InputError, match="knock_limit=0 has no effect with oklahoma=true"):
        Rules.parse("straight(oklahoma=true)")
    with pytest.raises(InputError, match="knock_limit=5 has no effect with oklahoma=true"):
        Rules(knock_limit=5, oklahoma=True)
    with pytest.raises(InputError, match="knock_limit=5 has no effect with oklahoma=true"):
        Rules.of_fields(Rules().model_dump() | {"knock_limit": 5, "oklahoma": True})
    ace = Rules.parse("oklahoma(oklahoma_ace=one)").replace(oklahoma=False)
    assert Rules.parse(str(ace)) == ace


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("straight(hand_size=5, ranks=4)", "knock_limit=0 leaves only gin, and hand_size=5 with ranks=4 makes none"),
        (
            "classic25(eleven_card_start=true, upcard_offer=false, min_turns_before_knock=4, max_turns=9)",
            "min_turns_before_knock=4 needs max_turns=10 or more",
        ),
    ],
)
def test_rules_under_which_nobody_could_knock(spec, part):
    with pytest.raises(InputError, match=part):
        Rules.parse(spec)


def test_what_is_called_idle_changes_no_hand():
    """Both values of a field without an effect play the very same hands, and the same games."""
    a, b = Strategy.parse("threshold(knock=8)"), Strategy.parse("simple")
    for spec, field, beside in IDLE:
        if (field, beside) == ("knock_limit=0", "oklahoma=true"):
            continue  # not even as a preset's own
        name = field.partition("=")[0]
        fields = Rules.parse(spec.partition("(")[0]).model_dump() | parse_spec(spec).args | {"target": 20}
        fields = {key: "none" if value is None and key in ("layoff", "shutout") else value for key, value in fields.items()}
        played = []
        for value in VALUES.get(name, [False, True]):
            if name == "knock_limit" and value == 0:
                continue
            if name == "shutout" and str(value).startswith("double"):
                continue
            if value is None or (name == "layoff" and value == "none"):
                continue
            rules = Rules._of(fields | {name: value})
            works = [Work((a, b), rules, 3, phase, 0, count) for phase, count in ((HANDS, 40), (GAMES, 4))]
            played.append([play(work).tally.tolist() for work in works])
        assert all(tallies == played[0] for tallies in played), spec


@pytest.mark.parametrize(("ranks", "suits"), [(3, 4), (4, 3), (4, 4), (5, 2), (5, 3)])
@pytest.mark.parametrize("cards", [3, 4, 5, 6])
def test_how_many_cards_can_be_melded(ranks, suits, cards):
    pack = Pack(ranks=ranks, suits=suits)
    some = any(deadwood(frozenset(held), pack) == 0 for held in itertools.combinations(full_deck(pack), cards))
    assert some == (cards != 5 or ranks >= 5)
