"""``ginsim play``, driven by what a person would type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ginsim.cards import format_card
from ginsim.cli import app
from ginsim.games.catalog import Strategy
from ginsim.games.gin.recorded.reading import read_hands
from ginsim.games.gin.recorded.walk import walk
from ginsim.study.stepwise import Table

KINDS = {"upcard": 0, "draw": 0, "discard": 1, "knock": 2}
KEYS = {"take": "t", "draw": "s", "pass": "p", "big gin": "k", "go on": "g"}


def play(typed: str, *words: str, code: int = 0) -> str:
    """What is printed, on either stream."""
    result = CliRunner().invoke(app, ["play", *words], input=typed)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def typed_by(player: str, **which: Any) -> tuple[list[str], Table]:
    """What a strategy would type, and the hand that it plays."""
    strategy, lines, table = Strategy.parse(player), list[str](), Table("me", **which)
    while not table.over:
        before, chosen = table.decision, table.view.chosen
        answer = int(strategy.decisions[KINDS[before]](table.view.array, strategy.array))
        choice = table.choices[1 - answer] if before != "discard" else format_card(answer)
        if not (before == "knock" and chosen):
            lines.append(KEYS.get(choice, choice))
        elif choice == "knock":
            lines[-1] = f"k {lines[-1]}"
        table.play(choice)
    return lines, table


@pytest.mark.parametrize(
    ("rules", "player"),
    [("classic25", "simple"), ("big_gin", "gin_only"), ("classic25(stock_end=last_discard)", "gin_only"), ("eaai", "champion"),
     ("classic25(eleven_card_start=true, upcard_offer=false)", "threshold(knock=3)")],
)  # fmt: skip
def test_a_hand_is_played_to_its_end_and_recorded(rules: str, player: str, tmp_path: Path) -> None:
    file = tmp_path / "new" / "hand.txt"
    for seed in range(3):
        lines, table = typed_by(player, b="simple", rules=rules, seed=seed, starter=seed % 2)
        words = ["--against", "simple", "--rules", rules, "--seed", str(seed), *(["--second"] if seed % 2 else [])]
        text = play("\n".join([*lines, ""]), *words, "--record", str(file))
        assert file.read_text(encoding="utf-8") == f"{table.record()}\n"
        assert not walk(read_hands(file)[0]).faults
        assert f"written: {file}" in text
        assert "not allowed" not in text
        assert str(table).splitlines()[-1] in text


def test_what_is_typed_wrong_is_told_and_asked_again() -> None:
    lines, table = typed_by("simple", b="simple", rules="eaai", seed=1)
    wrong = ["nonsense", "", "k", "3C 4C", "k KS", "\x1b[31m", "?"]
    typed = "\n".join(["?", *(line for right in lines for line in (*wrong, right)), ""])
    text = play(typed, "--against", "simple", "--rules", "eaai", "--seed", "1")
    assert text.count("choose") >= 3 * len(lines)
    assert "t         take the upcard" in text
    assert "\x1b" not in text
    assert str(table).splitlines()[-1] in text


def test_what_is_shown() -> None:
    text = play("t\n7C\nq\n", "--against", "simple", "--rules", "eaai", "--seed", "1")
    for told in (
        "You are A, simple is B; rules eaai, seed 1. A starts; a knock needs 10 or less.",
        "hand    76  no meld | A♠ 3♠ 9♠ 7♥ 9♥ J♥ 10♦ J♦ 7♣ K♣\nupcard  6♣, 31 cards in the stock\nt (take) or p (pass): ",
        "drawn 6♣\ndiscard: ",
        "A takes 6♣, discards 7♣\nB draws, discards Q♥\n",
        "you left the hand; nothing is written",
    ):
        assert told in text


def test_a_knock_is_offered_with_what_it_leaves() -> None:
    text = play("t\nk KS\nk KC\n", "--against", "simple", "--rules", "eaai(knock_limit=80)", "--seed", "1")
    assert "knocks  A♠ leaves 81" not in text
    assert "K♣ leaves 72" in text
    assert "discard (k CARD knocks): " in text
    assert "knock: 'KS' is not allowed; discard one of " in text
    assert "A takes 6♣, discards K♣, knocks" in text


def test_the_input_ends_before_the_hand(tmp_path: Path) -> None:
    file = tmp_path / "hand.txt"
    for typed in ("", "t", "t\n", "t\nKC\n"):
        text = play(typed, "--against", "simple", "--seed", "1", "--record", str(file), code=2)
        assert text.endswith("ginsim: the input ended before the hand was over; nothing is written\n")
    assert not file.exists()


def test_a_hand_that_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(table: Table) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr("ginsim.commands.play._answered", interrupted)
    assert play("", "--seed", "1", code=130).endswith("stopped; nothing is written\n")


def test_what_cannot_be_played_is_told(tmp_path: Path) -> None:
    assert "is a folder" in play("", "--record", str(tmp_path), code=2)
    assert "did you mean 'simple'" in play("", "--against", "simpel", code=2)
    assert "me" in play("", "--against", "me", code=2)
    assert "house is the table game" in play("", "--rules", "house", code=2)
    assert "seed: -1" in play("", "--seed=-1", code=2)


def test_a_record_that_cannot_be_written_is_printed(tmp_path: Path) -> None:
    lines, table = typed_by("simple", b="simple", seed=1)
    (tmp_path / "file").touch()
    words = "--against", "simple", "--seed", "1", "--record", str(tmp_path / "file" / "hand.txt")
    assert table.record() in play("\n".join([*lines, ""]), *words, code=2)


def test_the_review() -> None:
    lines, _ = typed_by("simple", b="simple", rules="eaai", seed=1)
    text = play("\n".join([*lines, ""]), "--against", "simple", "--rules", "eaai", "--seed", "1", "--review")
    assert "In one hand: You lost " in text
