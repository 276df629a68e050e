"""The page of a training: games won by iteration, and how to use the player that came out."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from ginsim.files import write_whole
from ginsim.report.plots.style import save_figure
from ginsim.report.plots.training import training_course
from ginsim.report.texts import markdown_table
from ginsim.training.course import WEIGHTS, WON

if TYPE_CHECKING:
    from ginsim.training.course import Trained

__all__ = ["save_training", "training_page"]


def training_page(result: Trained, command: str = "") -> str:
    """The page, as Markdown."""
    opponents = list(result.iterations[-1].won)
    head = ["iteration", "choices", *(f"against {name}" for name in opponents), "minutes"]
    spent = accumulate(step.seconds for step in result.iterations)
    rows = [
        [k + 1, f"{step.rows:,}", *(WON.text(result.won(name, k)) for name in opponents), f"{seconds / 60:.1f}"]
        for k, (step, seconds) in enumerate(zip(result.iterations, spent, strict=True))
    ]
    how = f"Made by `{command}`." if command else ""
    return f"""# A player trained under {result.rules}

{result}

Games are pairs on the same cards with seats exchanged, {result.pairs:,} pairs against each opponent after each
iteration, on deals that nothing was trained on; intervals are 95 %. The player began as `{result.start}`.

![games won](course.png)

{markdown_table(head, rows, range(len(head)))}

Choices: those that were played to the end of the hand so far, all of which each fit uses.

Play it as `learned(weights='{WEIGHTS}')`, with the path of that file. {how}
"""


def save_training(result: Trained, command: str = "") -> None:
    """Write page and picture into the folder of a training."""
    save_figure(training_course(result), result.folder, "course", ("png",))
    write_whole(result.folder / "report.md", training_page(result, command))
