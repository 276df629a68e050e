"""The report of a study as Markdown: question, answer, tables, pictures, how it was played, how to play it again.

It holds nothing of the machine or the moment, so the same study gives the same page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ginsim.games.catalog import game_of, rules_of
from ginsim.report.games import described
from ginsim.report.markup import fenced, plain_text, without_links
from ginsim.report.template import filled, terms
from ginsim.report.texts import markdown_table
from ginsim.specs import format_value, own_file
from ginsim.study.effect import changes_of
from ginsim.version import __version__

__all__ = [
    "Notes", "code_list", "counts_text", "each_pairing", "rules_section", "seeds_text", "terms_section", "told",
    "variants_section", "whole_page",
]  # fmt: skip


class Notes(NamedTuple):
    """What a result does not know of itself: headings, how the study was started, what lies beside the report."""

    title: str = ""
    question: str = ""
    command: str = ""
    experiment: str = ""
    """Text of the experiment file."""
    changed: str = ""
    """What was given beside the file."""
    study: str = ""
    shares: tuple[dict[str, Any], ...] = ()
    """Which seeds and parts of the deals are covered: seed, part, deals and games of the whole."""
    files: tuple[tuple[str, str], ...] = ()
    """Files of the users' own strategies, each with its SHA-256 (empty if it is not there)."""
    kept: tuple[str, ...] = ()
    """Folders of kept records: hands, games."""
    courses: dict[str, Any] | None = None
    """The courses a result was made of (`ginsim.study.recording.told_of_courses`)."""
    asked: str = ""
    """What the study was made to tell, in Markdown: the verdict of its claim, or the figure that was asked for."""


def whole_page(
    title: str, body: str, *, strategies: Sequence[str], rules: str, notes: Notes, more: str = "", same: str = ""
) -> str:
    """A page: the question, the ``body`` of this kind of study, what all end with.

    Parameters
    ----------
    title : str
        Where the notes have none.
    body : str
    strategies : sequence of str
        Who played.
    rules : str
        The rules' spec, of which game the page is.
    notes : Notes
    more : str
        The section of the rules, if it is not just these rules in full.
    same : str
        What the same figures depend on, beside the command.
    """
    players = _players(strategies, rules)
    made = [name for name in dict.fromkeys(strategies) if not own_file(name) and not described(name, rules)[0]]
    page = filled(
        "page",
        title=plain_text(notes.title or title),
        question=plain_text(notes.question),
        asked=without_links(notes.asked),
        body=body,
        terms=terms_section("\n".join((notes.question, notes.asked, body, players)), game_of(rules).name),
        players=players,
        rules=more or rules_section(rules),
        command=fenced(notes.command, "sh"),
        version=__version__,
        same=same,
        covered=_covered(notes),
        files=", ".join(_file_text(file, digest) for file, digest in notes.files),
        made=code_list(made),
        hands=("; `games/` holds those of the games." if "games" in notes.kept else ".") if "hands" in notes.kept else "",
        changed=f" (but for what the command gives: {plain_text(notes.changed)})" if notes.changed else "",
        experiment=fenced(notes.experiment, "toml") if notes.experiment.strip() else "",
    )
    return f"{page}\n"


def terms_section(text: str, game: str) -> str:
    """The terms of the game that ``text`` uses."""
    return "\n".join(f"- **{own['term']}**: {own['meaning']}." for own in terms(game) if re.search(own["found"], text))


def _players(strategies: Iterable[str], rules: str) -> str:
    """What each strategy does; of those of one family all but the first by their difference from it."""
    lines, firsts = [], dict[str, tuple[str, list[str]]]()
    for strategy in dict.fromkeys(strategies):
        file = own_file(strategy)
        name, words = ("", [f"a strategy of the user's own, from `{_file_name(file)}`."]) if file else described(strategy, rules)
        if name in firsts:
            first, said = firsts[name]
            other = [line for line in words if line not in said]
            lines.append(f"- `{strategy}`: as `{first}`{', but: ' + ' '.join(other) if other else '.'}")
        else:
            lines.append(f"- `{strategy}`: {' '.join(words)}")
            if name:
                firsts[name] = strategy, words
    return "\n".join(lines)


def _file_name(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _file_text(file: str, digest: str) -> str:
    return f"`{_file_name(file)}` ({f'SHA-256 {digest[:12]}…' if digest else 'not found when this was written'})"


def rules_section(spec: str, but: str = "") -> str:
    """The rules in full."""
    rules = rules_of(spec)
    fields = type(rules).model_fields.items()
    rows = [(f"`{name}`", _rule_value(getattr(rules, name)), field.description) for name, field in fields]
    return f"## Rules\n\n`{spec}` in full{f', {but}' if but else ''}:\n\n{markdown_table(('rule', 'value', 'meaning'), rows)}"


def variants_section(base: str, variants: Iterable[str]) -> str:
    """What variants change in their base; empty if there are none."""
    rows = [
        (f"`{name}`", ", ".join(f"`{key}={_rule_value(value)}`" for key, value in changes_of(base, name).items()))
        for name in variants
    ]
    table = markdown_table(("variant", "changes"), rows)
    return f"## Variants\n\nWhat they change in `{base}`.\n\n{table}" if rows else ""


def _rule_value(value: Any) -> str:
    return "none" if value == "none" else format_value(value)


def _covered(notes: Notes) -> str:
    """Which deals the figures cover, if they are not all of one seed; `ginsim merge` puts such results together."""
    if len(notes.shares) < 2 and all(share["part"] == "1/1" for share in notes.shares):
        return ""
    shares = [
        f"{'all' if share['part'] == '1/1' else 'part ' + share['part']} of {share['deals']:,} deals of seed {share['seed']}"
        for share in notes.shares
    ]
    more = ". Each came from its command; `ginsim merge` put them together" if len(shares) > 1 else ""
    return "; ".join(shares) + more


def trained_again(iterations: Iterable[int]) -> str:
    """What the same figures depend on, of players who were trained for so many iterations."""
    first, *others = sorted(set(iterations))
    told = "" if others else f" (`--iterations {first}` and `--minutes` enough for that)"
    return f", if training goes through as many iterations{told} on the same kind of processor"


def counts_text(deals: int, games: int = 0) -> str:
    """How many pairs were played."""
    return f"{deals:,} duplicate pairs of hands" + (f" and {games:,} duplicate pairs of games" if games else "")


def told(result: Any) -> dict[str, Any]:
    """What most pages say of a result, by the places of their templates."""
    found = {name: getattr(result, name) for name in ("a", "b", "rules", "base", "remark") if hasattr(result, name)}
    found |= {name: f"{getattr(result, name):,}" for name in ("deals", "samples", "comparisons") if hasattr(result, name)}
    return found | {"verdict": result.verdict(), "seeds": seeds_text(result.seed), "hands": f"{result.hand_count:,}"}


def seeds_text(seed: int | tuple[int, ...]) -> str:
    """The seed, or the seeds of what was merged."""
    return f"seed {seed}" if isinstance(seed, int) else f"seeds {', '.join(map(str, seed))}"


def each_pairing(pairings: int) -> str:
    """Which pairings of so many played."""
    return f"each of the {pairings} pairings" if pairings > 1 else "the one pairing"


def code_list(names: Iterable[str]) -> str:
    """Names in a row, each as code."""
    return ", ".join(f"`{name}`" for name in names)
