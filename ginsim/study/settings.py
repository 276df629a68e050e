"""Settings of a study, from a file, a command or a call: the experiment that they describe, or every mistake in them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import ValidationError

from ginsim.errors import InputError, shown, suggest
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.study.base import Experiment, kinds
from ginsim.study.claims import check_claim
from ginsim.study.wording import allowed

__all__ = ["article", "built", "checked_settings"]

MOST_COMPLAINTS = 50
"""Mistakes that are told at once."""


def built(kind: str, **settings: Any) -> Any:
    """The experiment of a call from Python; None leaves a field as it is, unless it must be given. One strategy makes a list."""
    fields = kinds()[kind].experiment.model_fields
    if isinstance(one := settings.get("strategies"), str | Strategy):
        settings["strategies"] = [one]
    given = {name: _plain(value) for name, value in settings.items() if value is not None or fields[name].is_required()}
    return checked_settings({"kind": kind} | given)


def _plain(value: Any) -> Any:
    """As a file would say it: rules by their spec, any sequence or iterator as a list, numbers of numpy as those of Python."""
    if isinstance(value, RulesModel):
        return str(value)
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {name: _plain(own) for name, own in value.items()}
    several = isinstance(value, Sequence | Iterator) and not isinstance(value, str | bytes | bytearray | memoryview)
    return [_plain(own) for own in value] if several else value


def checked_settings(settings: dict[str, Any], text: str = "") -> Experiment:
    """The experiment that ``settings`` describe; mistakes name the line of ``text`` that they stand in.

    Raises
    ------
    InputError
        A line for each mistake.
    """
    kind = settings.get("kind")
    if not isinstance(kind, str) or kind not in kinds():
        wrong = f"kind={shown(kind)} is not known{_place(text, ('kind',))}" if "kind" in settings else "the key 'kind' is missing"
        raise InputError(f"{wrong}; kinds are {', '.join(kinds())}")
    model = kinds()[kind].experiment
    for key, others in model.BECOMES.items():
        if isinstance(value := settings.get(key), str) and value in others:
            return checked_settings(settings | {"kind": others[value]}, text)
    try:
        experiment = model.model_validate(settings)
    except ValidationError as error:
        raise InputError("\n".join(_complaints(error, model, text))) from None
    check_claim(experiment.claim, kinds()[kind].result)
    return experiment


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
            most = problem["ctx"]["max_length"]
            lines.append(f"{key}: at most {most} {'is' if most == 1 else 'are'} allowed{place}")
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
