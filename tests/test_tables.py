"""Tables on a terminal: nothing is cut, and columns stay in line."""

from __future__ import annotations

import pytest

from ginsim.commands.tables import _width, room, table_text
from ginsim.report.texts import Texts

WORDS = "takes the upcard only for a meld, discards at random among the best, knocks as soon as it may"
ROWS = [("threshold(knock=4, draw=strict)", "+0.51 [+0.49, +0.53]", WORDS), ("simple", "-1.00 [-1.10, -0.90]", "")]
TABLE = Texts(("strategy", "points per hand", "meaning"), ROWS, (1,), title="A title", caption="A caption")


def words_of(text: str) -> str:
    """Only the letters and digits of a table."""
    return "".join(c for c in text if c.isalnum())


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
def test_nothing_is_cut_and_all_lines_are_of_one_width(width: int) -> None:
    first, *lines, last = table_text(TABLE, width).splitlines()
    assert (first, last) == ("A title", "A caption")
    assert len({len(line) for line in lines}) == 1 and len(lines[0]) <= width
    columns = [[line.split("│")[k].strip() for line in lines if line.startswith("│")] for k in (1, 2, 3)]
    assert [words_of(" ".join(column)) for column in columns] == [words_of("".join(row[k] for row in ROWS)) for k in range(3)]


def test_numbers_are_broken_last_and_between_words() -> None:
    assert "│ +0.51 [+0.49, +0.53] │" in table_text(TABLE, 64)
    narrow = table_text(Texts(("a", "b"), [("1.00 [0.50, 1.50]", "2.00 [1.50, 2.50]")], (0, 1)), 30)
    assert max(map(len, narrow.splitlines())) <= 30 and "1.00 [0.50, │" in narrow


def test_heads_of_narrow_numbers_are_broken() -> None:
    assert "┃ chance to lose ┃" in table_text(Texts(("chance to lose",), [("1",)], (0,)))
    assert "┃  chance to win ┃\n┃       the game ┃" in table_text(Texts(("chance to win the game",), [("1",)], (0,)))


def test_wide_characters_take_two_columns() -> None:
    lines = table_text(Texts(("name", "n"), [("中文文件:玩家", "1"), ("simple", "20"), ("中" * 70, "3")], (1,)), 80).splitlines()
    assert len({_width(line) for line in lines}) == 1 and _width(lines[0]) <= 80


def test_tables_without_heads_and_rows_set_apart() -> None:
    assert table_text(Texts(("", ""), [("a", "b")])) == "┌───┬───┐\n│ a │ b │\n└───┴───┘"
    apart = table_text(Texts(("x",), [("a",), ("b",), ("c",)], first_apart=True)).splitlines()
    assert [line[0] for line in apart] == ["┏", "┃", "┡", "│", "├", "│", "│", "└"]
    assert table_text(Texts(("x",), [])).count("\n") == 3


def test_lines_of_a_cell_stay_lines() -> None:
    assert "│ one   │\n│ three │" in table_text(Texts(("x",), [("one\nthree",)]))


def test_without_a_terminal_the_width_is_that_of_a_page() -> None:
    assert (room(), room(140)) == (120, 140)
