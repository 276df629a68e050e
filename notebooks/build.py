"""Execute the notebooks and write them with their outputs: ``python notebooks/build.py [NAME …]``.

The sources are the ``.py`` files (jupytext, py:percent); an ``.ipynb`` holds nothing of the machine or the moment.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import Any

import jupytext
from nbclient import NotebookClient

from ginsim.report.plots.style import small_png

FOLDER = Path(__file__).resolve().parent
SECONDS = 600
"""Most that a cell may take."""


def sources() -> list[Path]:
    """The notebooks' sources, in order."""
    return sorted(FOLDER.glob("[0-9][0-9]_*.py"))


def executed(source: Path) -> Any:
    """The notebook of a source with its outputs, run in the folder above."""
    notebook = jupytext.read(source)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
    run_in = {"metadata": {"path": str(FOLDER.parent)}}
    NotebookClient(notebook, timeout=SECONDS, record_timing=False, coalesce_streams=True, resources=run_in).execute()
    notebook.metadata.language_info = {"name": "python"}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                output.data["image/png"] = _small(output.data["image/png"])
    return notebook


def _small(png: str) -> str:
    """A picture (PNG in base64) with fewer colours."""
    return base64.b64encode(small_png(base64.b64decode(png))).decode()


def main(names: list[str]) -> None:
    """Build the notebooks whose file name begins with one of ``names``; all if there are none."""
    for source in sources():
        if not names or source.name.startswith(tuple(names)):
            print(source.stem, flush=True)
            jupytext.write(executed(source), source.with_suffix(".ipynb"))


if __name__ == "__main__":
    main(sys.argv[1:])
