"""``ginsim showdown``: sentences whose numbers add up, the hands as they lie, knocks that are not allowed."""

from __future__ import annotations

import random
import re

import pytest
from typer.testing import CliRunner

import ginsim
from ginsim.cli import app
from ginsim.commands.showdown import show
from ginsim.errors import InputError
from ginsim.games.gin.rules import Rules

DECK = [f"{rank}{suit}" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K") for suit in "SHDC"]
RULES = (
    "classic25", "classic20", "classic25(tie=push)", "classic25(tie=knocker)", "classic25(layoff_on_gin=true)",
    "round_the_corner", "classic25(layoff=none)", "classic25(spades_double=true)", "classic25(undercut_bonus=0, gin_bonus=0)",
    "classic25(ace_value=15)",
)  # fmt: skip


def added_up(sentence: str) -> int:
    """The points that the parts of a sentence make."""
    if "without points" in sentence or "nobody points" in sentence:
        return 0
    parts = sentence.partition(": ")[2]
    total = 0
    if found := re.match(r"(\d+) less (\d+)", parts):
        total = int(found[1]) - int(found[2])
    elif found := re.match(r"the defender's (\d+)", parts):
        total = int(found[1])
    else:
        assert parts.startswith("both have ")
    if found := re.search(r", and (\d+) for ", parts):
        total += int(found[1])
    return 2 * total if "doubled" in parts else total


def knock_hand(rng: random.Random) -> list[str]:
    """Ten cards, of which some runs and sets are made by design: most of them can knock."""
    suit = rng.choice("SHDC")
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    at, rank = rng.randrange(9), rng.choice(ranks)
    held = {f"{ranks[at + i]}{suit}" for i in range(rng.choice([3, 4, 5]))} | {f"{rank}{s}" for s in "SHDC"[: rng.choice([3, 4])]}
    low = [f"{r}{s}" for r in ranks[:4] for s in "SHDC" if f"{r}{s}" not in held]
    return sorted([*held, *rng.sample(low, 10 - len(held))]) if len(held) <= 10 else sorted(held)[:10]


@pytest.mark.parametrize("rules", RULES)
def test_what_is_said_adds_up(rules: str) -> None:
    rng, allowed = random.Random(rules), 0
    for _ in range(120):
        knocker = knock_hand(rng)
        others = [card for card in DECK if card not in knocker]
        defender = rng.sample(others, 10)
        found = ginsim.showdown(" ".join(knocker), " ".join(defender), rules)
        if found.knocker_deadwood > 10:
            with pytest.raises(InputError, match="too much to knock"):
                show(" ".join(knocker), " ".join(defender), rules)
            continue
        allowed += 1
        text = show(" ".join(knocker), " ".join(defender), rules)
        hands, _, rest = text.partition("\n\n")
        sentence = rest.split("\n")[0]
        assert added_up(sentence) == found.points
        if found.winner and found.points:
            assert re.search(rf"[Tt]he {found.winner} wins {found.points:,} points?: ", sentence)
        shown = [line for line in hands.split("\n") if line.startswith("  melds")]
        for line, cards in zip(shown, (knocker, defender), strict=True):
            pieces = re.sub(r"melds:|unmatched:|laid off:|none|·", " ", line).split()
            plain = [piece.translate(str.maketrans("♠♥♦♣", "SHDC")) for piece in pieces]
            assert sorted(plain) == sorted(cards)  # each card once
    assert allowed > 30


def test_counts_say_what_hands_say() -> None:
    for left in range(11):
        for after in (*range(12), 40, 98):
            for rules in RULES[:5]:
                score = added_up(show(str(left), str(after), rules))
                gin = Rules.parse(rules).gin_bonus + after
                if left == 0:
                    assert score == gin
                elif after > left:
                    assert score == after - left
                elif after < left:
                    assert score == left - after + Rules.parse(rules).undercut_bonus
    assert added_up(show("9", "9", "classic25(tie=push)")) == added_up(show("9", "9", "classic25(tie=knocker)")) == 0
    assert added_up(show("9", "9", "classic25")) == 25


def test_lay_offs_are_shown() -> None:
    text = show("8S 8H 8D AS 2S 3S 9C 10C JC 5H", "4S 5S KD KH KS 8C 7C QC 6D AC", "classic25")
    assert "defender: deadwood 7 (41 before lay-offs)" in text
    assert "laid off: 4♠ 5♠ 7♣ 8♣ Q♣" in text
    assert text.endswith("The knocker wins 2 points: 7 less 5.")


def test_big_gin_where_it_is_allowed() -> None:
    hand, other = "2S 2H 2D 2C 3S 9C 10C JC QC 4S 5S", "6S 7D KD KH KS 7H 8H 9H 6D KC"
    text = show(hand, other, "classic25(big_gin_bonus=31)")
    assert text.endswith("Big gin! The knocker wins 50 points: the defender's 19, and 31 for big gin.")
    assert show("0", "19", "big_gin", big_gin=True) == text.rpartition("\n")[2]
    with pytest.raises(InputError, match="big-gin: it goes with two counts of deadwood"):
        show(hand, other, "big_gin", big_gin=True)
    with pytest.raises(InputError, match="knocker: 11 cards; these rules ask for 10, after the discard"):
        show(hand, other, "classic25(big_gin_bonus=none)")


def test_the_upcard_limits_and_doubles() -> None:
    assert "doubled because the first upcard is a spade" in show("6", "18", "tournament", "6S")
    assert added_up(show("6", "18", "tournament", "6S")) == 24
    assert added_up(show("6", "18", "tournament", "6H")) == 12
    assert added_up(show("10", "18", "tournament", "KD")) == 8
    told = r"deadwood of 6 is too much to knock with; tournament with the upcard 5♦ allows 5 or less"
    with pytest.raises(InputError, match=told):
        show("6", "18", "tournament", "5D")
    with pytest.raises(InputError, match="nothing but gin"):
        show("1", "18", "oklahoma(oklahoma_ace=gin_only)", "AD")
    assert added_up(show("0", "18", "oklahoma(oklahoma_ace=gin_only)", "AD")) == 18 + Rules.parse("oklahoma").gin_bonus
    assert "if the first upcard is worth 7 or more" in show("7", "18", "oklahoma")
    assert "the points double to 22" in show("7", "18", "classic25(spades_double=true)")
    assert "changes nothing under classic25" in show("7", "18", "classic25", "6D")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["11", "18"], "knocker: a deadwood of 11 is too much to knock with; classic25 allows 10 or less"),
        (["700", "18"], "knocker: a deadwood of '700' is not possible; give a whole number from 0 to 100"),
        (["--", "-1", "18"], "knocker: a deadwood of '-1' is not possible; give a whole number from 0 to 100"),
        (["7", "1.5"], "defender: a deadwood of '1.5' is not possible"),
        (["0", "18", "--big-gin"], "big-gin: classic25 has no big gin (big_gin_bonus=none)"),
        (["3", "18", "--big-gin", "--rules", "big_gin"], "knocker: a deadwood of 3 is not big gin; give 0"),
        (["7", "9" * 500], "defender: a deadwood of '999"),
        (["7", "KS"], "one is a number and one a hand"),
        (["7", "18", "--rules", "house"], "rules: house is a game without a knock"),
        (["7", "18", "--upcard", "6S 7S"], "upcard: '6S 7S' is not one card"),
        (["7", "18", "--rules", "nonsense"], "nonsense"),
        (["KS KH", "QS QH"], "knocker: 2 cards; these rules ask for 10"),
        (["x", "KS"], "knocker: "),
    ],
    ids=str,
)
def test_bad_words_are_told(words: list[str], part: str) -> None:
    result = CliRunner().invoke(app, ["showdown", *words])
    assert result.exit_code == 2 and "Traceback" not in result.output and len(result.output) < 800
    assert part in " ".join(result.output.split())


def test_the_command_prints_it() -> None:
    assert CliRunner().invoke(app, ["showdown", "9", "6"]).output == show("9", "6", "classic25") + "\n"
