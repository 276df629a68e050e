"""Tables on the console: figures with their intervals stay whole, however wide the table."""

from __future__ import annotations

import io

import pytest

from ginsim import statistics
from ginsim.commands.console import PlainConsole, parts_of, print_tables, room
from ginsim.report.sheets import sheet_of
from ginsim.report.texts import Texts

INTERVALS = Texts(
    ("strategy", *(f"measure {k}" for k in range(9))),
    [(name, *(f"{k}0.12 % (10.1 to {k}0.9)" for k in range(9))) for name in ("expert", "table_counting(lay=3, danger=17)")],
    range(1, 10),
    (0,),
    "Measures, with 95 % intervals",
    "as measured",
    first_apart=True,
)
MATRIX = Texts(("turn", *(f"deadwood {k}" for k in range(12))), [(turn, *["12 ± 3"] * 12) for turn in range(4)], range(13))


def printed(tables: list[Texts], width: int) -> str:
    out = io.StringIO()
    print_tables(tables, console=PlainConsole(file=out, width=width))
    return out.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120, 300])
@pytest.mark.parametrize("table", [INTERVALS, MATRIX], ids=["intervals", "matrix"])
def test_figures_are_not_broken(table: Texts, width: int) -> None:
    text = printed([table], width)
    for row in table.rows:
        for cell in row[1:]:
            assert text.count(str(cell)) >= sum(str(cell) in map(str, other[1:]) for other in table.rows)
    assert max(map(len, text.splitlines())) <= width
    assert text.count(table.title) == 1 or not table.title


def test_a_caption_uses_the_width_of_the_page_not_of_the_table() -> None:
    caption = "What the two figures of this small table mean takes more words than the table is wide."
    assert caption in printed([Texts(("a", "b"), [("1", "2")], caption=caption)], 100)
    assert max(map(len, printed([Texts(("a", "b"), [("1", "2")], caption=caption)], 40).splitlines())) <= 40


def test_a_wide_table_is_shown_in_parts_each_with_the_names() -> None:
    parts = parts_of(INTERVALS, 120)
    assert len(parts) > 1
    assert [part.head[0] for part in parts] == ["strategy"] * len(parts)
    assert [head for part in parts for head in part.head[1:]] == list(INTERVALS.head[1:])
    assert [cell for part in parts for cell in part.rows[1][1:]] == list(INTERVALS.rows[1][1:])
    assert [part.title for part in parts] == [INTERVALS.title, *[""] * (len(parts) - 1)]
    assert [part.caption for part in parts] == [*[""] * (len(parts) - 1), INTERVALS.caption]
    assert all(list(part.numbers) == list(range(1, len(part.head))) for part in parts)
    assert [part.head[0] for part in parts_of(MATRIX, 60)] == ["turn"] * len(parts_of(MATRIX, 60))
    (whole,) = parts_of(INTERVALS, 400)
    assert (list(whole.head), whole.title, whole.caption) == (list(INTERVALS.head), INTERVALS.title, INTERVALS.caption)


def test_tables_of_words_and_of_too_narrow_a_console_are_left_whole() -> None:
    words = Texts(("name", "meaning"), [("expert", "counts cards " * 20)])
    assert len(parts_of(words, 40)) == 1
    narrow = parts_of(INTERVALS, 20)
    assert [len(part.head) for part in narrow] == [2] * 9
    assert printed([INTERVALS], 20)


def test_statistics_of_a_table_are_not_broken_at_120_columns() -> None:
    found = statistics(["novice", "expert"], ["house"], deals=50, seed=1)
    tables = sheet_of(found).console()
    text = printed(tables, 120)
    assert all(str(cell) in text for table in tables for row in table.rows for cell in row)


def test_without_a_terminal_the_width_is_that_of_a_page() -> None:
    assert (room(), room(140)) == (120, 140)
