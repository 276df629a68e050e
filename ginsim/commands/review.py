"""``ginsim review``: what each decision of recorded hands cost, and how much was luck."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ginsim.commands import check_format, tell
from ginsim.commands.console import print_tables
from ginsim.commands.progress import bar_on_terminal
from ginsim.errors import InputError
from ginsim.experiment.alone import made_folder
from ginsim.files import csv_text
from ginsim.report.of.review import worst_in_words
from ginsim.report.review_folder import review_json
from ginsim.report.sheets import sheet_of
from ginsim.report.showing import save
from ginsim.study.review import PLAYER, QUICK, ROLLOUTS, Report, Review, review


def show(
    files: list[Path], rules: str, *, rollouts: int | None, quick: bool, seed: int, by: str | None, player: str | None,
    notation: str | None, lenient: bool, form: str, out: Path | None, workers: int | None, quiet: bool, command: str,
) -> None:  # fmt: skip
    """Review the hands of all files, print what came out, and write it into a folder if there is one."""
    check_format(form)
    if quick and rollouts is not None:
        raise InputError(f"quick: that is --rollouts {QUICK}; give one of the two")
    if out is not None:
        made_folder("out", out)
    count = rollouts or (QUICK if quick else ROLLOUTS)
    with review_progress(quiet) as progress:
        result = review(files, rules, count, seed, by, player or PLAYER, notation, lenient, workers, progress)
    if out is not None:
        save(result, out, command=command)
    if form == "json":
        tell(review_json(result), nl=False)
    elif form == "csv":
        tell(csv_text(result.decisions(), index=False, float_format="%.6g"), nl=False)
    else:
        tell_review(result)
    if out is not None:
        tell(f"\nwritten: {out / 'report.md'}", err=True)


def tell_review(result: Review) -> None:
    """Print what came out, in words and tables."""
    tell(f"{result.verdict()}\n")
    print_tables(sheet_of(result).console())
    for number, one in result.worst():
        tell(f"\n{worst_in_words(result, number, one, marked=False)}")


@contextmanager
def review_progress(quiet: bool) -> Iterator[Report | None]:
    """A bar of decisions on a terminal; None where nobody is looking."""
    with bar_on_terminal(quiet) as shown_on:
        if shown_on is None:
            yield None
            return
        bar, task = shown_on
        yield lambda done, total: bar.update(task, description=f"{done:,} decisions", completed=done, total=total)
