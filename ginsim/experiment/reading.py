"""Reading experiment files: every mistake told by its key and line, and a JSON schema for editors."""

from __future__ import annotations

import functools
import itertools
import operator
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from ginsim.errors import InputError, shown, suggest
from ginsim.experiment.base import Experiment
from ginsim.experiment.registry import KINDS
from ginsim.experiment.wording import allowed
from ginsim.files import read_text
from ginsim.games.table.rules import is_table
from ginsim.study.claims import check_claim

__all__ = ["article", "checked_settings", "load_experiment", "schema"]


MOST_BYTES = 1_000_000
"""Length of an experiment file."""
MOST_DOTS = 1_000
MOST_COMPLAINTS = 50
"""Mistakes that are told of one file."""


def load_experiment(path: str | Path, **changes: Any) -> Experiment:
    """Read and check an experiment file.

    Parameters
    ----------
    path : path
    **changes
        Fields to change, such as ``deals`` or ``seed``; None leaves a field as it is.

    Raises
    ------
    InputError
        Naming the file and, a line for each mistake, the key, its value, where it stands and what is allowed.
    """
    path = Path(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"experiment: {path} is not an experiment file: it has more than {MOST_BYTES:,} bytes")
        text = read_text(path)
        if any(line.count(".") > MOST_DOTS for line in text.splitlines()):  # tomllib takes hours for a.a.a.…
            raise RecursionError
        data = tomllib.loads(text)
    except FileNotFoundError:
        raise InputError(f"experiment: there is no file {path}") from None
    except IsADirectoryError:
        raise InputError(f"experiment: {path} is a folder; give a file, or with run --all for every file in it") from None
    except RecursionError:
        raise InputError(f"experiment {path}: too deeply nested") from None
    except UnicodeDecodeError:
        raise InputError(f"experiment {path}: not UTF-8 text; save the file as UTF-8") from None
    except InputError as error:
        raise error if str(error).startswith("experiment") else InputError(f"experiment: {error}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"experiment {path}: {error}") from None
    given = {key: value for key, value in changes.items() if value is not None}
    try:
        experiment = checked_settings(data | given, text)
    except InputError as error:
        raise InputError("\n".join(f"experiment {path}: {line}" for line in str(error).splitlines())) from None
    experiment._source, experiment._changed = text, tuple(f"{key}={value}" for key, value in given.items())
    return experiment


def checked_settings(settings: dict[str, Any], text: str = "") -> Experiment:
    """The experiment that ``settings`` describe; mistakes name the line of ``text`` that they stand in.

    Raises
    ------
    InputError
        A line for each mistake.
    """
    kind = settings.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        wrong = f"kind={shown(kind)} is not known{_place(text, ('kind',))}" if "kind" in settings else "the key 'kind' is missing"
        raise InputError(f"{wrong}; kinds are {', '.join(KINDS)}")
    if is_table(settings.get("rules")) and not kind.startswith("table_"):
        settings, kind = _at_table(settings, kind)
    model = KINDS[kind].experiment
    try:
        experiment = model.model_validate(settings)
    except ValidationError as error:
        raise InputError("\n".join(_complaints(error, model, text))) from None
    check_claim(experiment.claim, KINDS[kind].result)
    return experiment


def _at_table(settings: dict[str, Any], kind: str) -> tuple[dict[str, Any], str]:
    """The settings, and the kind, of the same study of the table game; what a command gives for gin only is left out if unset."""
    own = f"table_{kind}"
    if own not in KINDS:
        known = ", ".join(name.removeprefix("table_") for name in KINDS if name.startswith("table_"))
        raise InputError(f"rules={shown(settings['rules'])} is the table game, which has no kind {kind!r}; its kinds are {known}")
    fields = KINDS[own].experiment.model_fields
    return {key: value for key, value in settings.items() if key in fields or value} | {"kind": own}, own


def article(kind: str) -> str:
    """The kind with its article."""
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _complaints(error: ValidationError, model: type[Experiment], text: str) -> list[str]:
    """Each mistake in a line that names the key, the value and the place."""
    lines = []
    for problem in itertools.islice(error.errors(include_url=False), MOST_COMPLAINTS):
        loc = problem["loc"]
        key, place = ".".join(str(part) for part in loc), _place(text, loc)
        if problem["type"] == "extra_forbidden":
            known = model.model_fields if len(loc) == 1 else ()
            lines.append(
                f"there is no key {key!r} in {article(model.model_fields['kind'].default)} experiment{place}"
                + (f"; {suggest(key, known)}" if known else "")
            )
        elif problem["type"] == "missing":
            field = model.model_fields.get(key)
            lines.append(f"the key {key!r} is missing{f' ({field.description})' if field else place}")
        elif problem["type"] == "value_error":
            for line in str(problem["ctx"]["error"]).splitlines():  # may name the key itself, or be about several
                named = key and not re.match(rf"{re.escape(str(loc[0]))}\b", line)
                lines.append(f"{key}: {line}{place}" if named else f"{line}{place}")
        elif problem["type"] == "too_short":
            count = problem["ctx"]
            lines.append(f"{key}: needs at least {count['min_length']}; {count['actual_length']} given{place}")
        elif problem["type"] == "too_long":
            lines.append(f"{key}: at most {problem['ctx']['max_length']} are allowed{place}")
        else:
            lines.append(f"{key}: {shown(problem['input'])} is not allowed; {allowed(problem, model)}{place}")
    if error.error_count() > MOST_COMPLAINTS:
        lines.insert(0, f"{error.error_count():,} mistakes; here are the first {MOST_COMPLAINTS}")
    return list(dict.fromkeys(lines))


def _place(text: str, loc: tuple[str | int, ...]) -> str:
    """Where a key stands in the text of the file, such as " (line 3)"; empty if it is not found there.

    TOML may write a key as ``a = …``, ``[a]``, ``a.b = …`` or ``{b = …}``: its last name after its first is what is looked for.
    An item of a list is looked for from the key on, by counting the items that stand in lines of their own.
    """
    names = [part for part in loc if isinstance(part, str)]
    lines = text.splitlines()
    at = 0
    for name in names:
        quoted = rf"""["']?{re.escape(name)}["']?"""
        found = next((n for n in range(at, len(lines)) if re.search(rf"(^|[\[\{{,.\s]){quoted}\s*(=|\]|\.)", lines[n])), None)
        if found is None:
            break
        at = found
    else:
        if not names:
            return ""
        if isinstance(loc[-1], int):
            items = [n for n in range(at, len(lines)) if re.match(r"""\s*["'\[{\d+-]""", lines[n])]
            if re.search(r"[=]\s*\[\s*(#.*)?$", lines[at]) and loc[-1] < len(items):
                at = items[loc[-1]]
        return f" (line {at + 1})"
    return ""


def schema() -> dict[str, Any]:
    """The JSON schema of experiment files, for editors that check and complete TOML."""
    models: Any = functools.reduce(operator.or_, (kind.experiment for kind in KINDS.values()))
    adapter = TypeAdapter[Any](Annotated[models, Field(discriminator="kind")])
    found = adapter.json_schema()
    for model in found["$defs"].values():
        if "kind" in model.get("properties", {}):
            model["required"] = ["kind", *model.get("required", [])]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A ginsim experiment"} | found
