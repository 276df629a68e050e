"""``ginsim claims``: decide every claim of a folder by its study, and write one page of the verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ginsim.commands import tell
from ginsim.commands.console import print_tables
from ginsim.commands.study import progress_bar, resumable, say, up_to_date
from ginsim.errors import InputError
from ginsim.experiment.loading import load_results
from ginsim.experiment.reading import load_experiment
from ginsim.experiment.runs import notes_of, run_experiment
from ginsim.files import csv_text, write_whole
from ginsim.report.claims_page import ClaimStudy, claim_text, claims_page, claims_table, verdicts
from ginsim.report.folder import save_again, save_result
from ginsim.study.base import Experiment
from ginsim.study.claims import decide


def show(folder: Path, out: Path, deals: int | None, fresh: bool, workers: int | None, quiet: bool, command: str) -> None:
    """Play what is not played yet, decide, print the verdicts and write the page."""
    files = sorted(folder.glob("*.toml")) if folder.is_dir() else [folder] if folder.is_file() else []
    if not files:
        raise InputError(f"claims: there is no claim (*.toml) in {folder}")
    experiments = {file: load_experiment(file, deals=deals) for file in files}
    if without := [str(file) for file, experiment in experiments.items() if experiment.claim is None]:
        raise InputError("\nginsim: ".join(f"claims: {file}: the table [claim] is missing" for file in without))
    studies = []
    for file, experiment in experiments.items():
        result = _result(experiment, out / file.stem, file, fresh, workers, quiet)
        assert experiment.claim is not None
        try:
            decision = decide(experiment.claim, result)
        except InputError as error:
            raise InputError(f"{file}: {error}") from None
        save_again(out / file.stem, **notes_of(experiment, _command(file, out)), asked=claim_text(decision))
        say(f"{file.stem}: {decision.verdict}")
        studies.append(ClaimStudy(file.stem, decision, str(experiment.rules), result.hand_count, experiment.seed))
    write_whole(out / "README.md", claims_page(studies, command))
    write_whole(out / "claims.csv", csv_text(claims_table(studies), index=False, float_format="%.6g"))
    print_tables([verdicts(studies)])
    tell(f"\nAll cases with their intervals: {out / 'README.md'}")


def _command(file: Path, out: Path) -> str:
    return f"ginsim run {file} --out {out / file.stem}"


def _result(experiment: Experiment, folder: Path, file: Path, fresh: bool, workers: int | None, quiet: bool) -> Any:
    """The result of the study: as it was saved, if it is of the same study and version; played, if not."""
    if up_to_date(experiment, folder) and not fresh:
        return load_results(folder)
    with resumable(folder, workers), progress_bar(quiet) as progress:
        command = _command(file, folder.parent)
        return run_experiment(experiment, folder, save_result, workers, progress, False, fresh, command, say, replace=True)
