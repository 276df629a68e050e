"""Reading experiment files: every mistake told by its key and line, and a JSON schema for editors."""

from __future__ import annotations

import functools
import operator
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from ginsim.errors import InputError
from ginsim.files import read_text
from ginsim.study.base import Experiment, kinds
from ginsim.study.settings import checked_settings

__all__ = ["load_experiment", "schema"]


MOST_BYTES = 1_000_000
"""Length of an experiment file."""
MOST_DOTS = 1_000


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


def schema() -> dict[str, Any]:
    """The JSON schema of experiment files, for editors that check and complete TOML."""
    models: Any = functools.reduce(operator.or_, (kind.experiment for kind in kinds().values()))
    adapter = TypeAdapter[Any](Annotated[models, Field(discriminator="kind")])
    found = adapter.json_schema()
    for model in found["$defs"].values():
        if "kind" in model.get("properties", {}):
            model["required"] = ["kind", *model.get("required", [])]
    found["anyOf"] = [*found.pop("oneOf"), *_other_names(found["$defs"])]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A ginsim experiment"} | found


def _other_names(models: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The kinds that another kind becomes by one of its keys, with that other name and key."""
    for name, kind in kinds().items():
        for key, others in kind.experiment.BECOMES.items():
            for value, other in others.items():
                model = models[kinds()[other].experiment.__name__]
                own = {"kind": {"const": name, "type": "string"}, key: {"const": value, "type": "string"}}
                yield model | {"properties": model["properties"] | own, "required": [*model["required"], key]}
