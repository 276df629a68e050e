"""The notebooks: source and notebook say the same, run without an error, and show the same figures when run again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest

from notebooks.build import FOLDER, executed, sources

SOURCES = pytest.mark.parametrize("source", sources(), ids=lambda source: source.stem)
MOST_BYTES = 300_000
MACHINE = re.compile(r"/(home|root|tmp|usr|Users|work|private|var)/|[A-Z]:\\\\|site-packages|ipykernel_\d")


def notebook_of(source: Path) -> Any:
    """The committed notebook beside a source."""
    return nbformat.read(source.with_suffix(".ipynb"), as_version=4)


def said(notebook: Any) -> list[list[str]]:
    """The words that each cell shows; for a picture, only that there is one."""
    return [[word for output in cell.get("outputs", []) for word in _words(output)] for cell in notebook.cells]


def _words(output: Any) -> list[str]:
    data = output.get("data", {})
    if "image/png" in data:
        return ["[picture]"]
    return (data.get("text/markdown") or data.get("text/plain") or output.get("text", "")).split()


def test_every_notebook_has_a_source() -> None:
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == {source.stem for source in sources()}
    assert len(sources()) >= 6


@SOURCES
def test_source_and_notebook_say_the_same(source: Path) -> None:
    ours, theirs = jupytext.read(source), notebook_of(source)
    assert [(cell.cell_type, cell.source) for cell in theirs.cells] == [(cell.cell_type, cell.source) for cell in ours.cells]
    assert ours.metadata.jupytext.formats == theirs.metadata.jupytext.formats == "ipynb,py:percent"


@SOURCES
def test_what_is_committed_is_whole_small_and_of_no_machine(source: Path) -> None:
    path = source.with_suffix(".ipynb")
    assert path.stat().st_size < MOST_BYTES
    code = [cell for cell in notebook_of(source).cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in code)
    assert any("image/png" in output.get("data", {}) for cell in code for output in cell.outputs)
    for cell in code:
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output.text
            texts = [output.get("text", ""), *(str(text) for kind, text in output.get("data", {}).items() if kind[:5] == "text/")]
            assert not MACHINE.search(" ".join(texts)), texts


@SOURCES
def test_runs_and_shows_the_same_again(source: Path) -> None:
    shown, committed = said(executed(source)), said(notebook_of(source))
    assert shown == committed, "run: python notebooks/build.py"
