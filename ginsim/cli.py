"""The command line: parses, calls, prints. Heavy modules are imported where a command needs them."""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from ginsim import __version__

app = typer.Typer(
    name="ginsim",
    help="Gin Rummy strategy analysis: evaluate hands, play strategies against each other, measure rules.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=False,
)

MANY = 1 << 36


def reader(kind: str, read: Callable[[Any], Any]) -> dict[str, Any]:
    """How an option is read and shown; what it refuses is told like any other bad input."""

    def reported_read(value: Any) -> Any:
        with reported():
            return read(value)

    return {"parser": reported_read, "metavar": f"<{kind}>"}


def whole(field: str, low: int | None = None, high: int = 0) -> dict[str, Any]:
    """An option that is a whole number; without a range, that of the field of a study."""

    def read(value: Any) -> int:
        from ginsim.study.compare import RANGES, check_count
        from ginsim.study.play import check_workers

        text = str(value)
        number = int(text) if re.fullmatch(r"[+-]?[0-9]+(_[0-9]+)*", text) and len(text) < 100 else text
        if field == "workers":
            return check_workers(number)
        return check_count(field, number, *(RANGES[field] if low is None else (low, high)))

    return reader("int", read)


def above_zero(field: str, most: int) -> dict[str, Any]:
    """An option that is a number above 0."""

    def read(value: Any) -> float:
        from ginsim.errors import InputError, shown

        text = str(value)
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]*)?|\.[0-9]+", text) or not 0 < float(text) <= most:
            raise InputError(f"{field}: {shown(text)} is not allowed; give a number above 0, up to {most}")
        return float(text)

    return reader("float", read)


def path_of(field: str, what: str) -> dict[str, Any]:
    """An option or argument that is a path; an empty one would mean the current folder."""

    def read(value: Any) -> Path:
        from ginsim.errors import InputError

        if not str(value).strip():
            raise InputError(f"{field}: {str(value)!r} is not allowed; give a {what}")
        return Path(value)

    return reader("path", read)


RulesOption = Annotated[str, typer.Option("--rules", help="Rules spec: a preset, or a preset with fields changed.")]
SeedOption = Annotated[int, typer.Option("--seed", **whole("seed"), help="The same seed gives the same result.")]
WorkersOption = Annotated[int | None, typer.Option("--workers", **whole("workers"), help="Threads; all cores by default.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]
OUT = path_of("out", "folder")
OutOption = Annotated[Path | None, typer.Option("--out", **OUT, help="Folder for tables, plots, report and manifest.")]
HandsOption = Annotated[bool, typer.Option("--hands", help="Also write the record of every hand (Parquet).")]
DealsOption = Annotated[
    int | None,
    typer.Option(
        "--deals", **whole("deals"),
        help="Duplicate pairs of hands for each pairing [compare: 100,000; else 20,000, or the file's].",
    ),
]  # fmt: skip
GamesOption = Annotated[
    int | None,
    typer.Option(
        "--games", **whole("games"),
        help="Duplicate pairs of games, 0 for none [a tenth of the deals, or the file's].",
    ),
]  # fmt: skip


@contextmanager
def reported() -> Iterator[None]:
    """Turn bad input, and files that cannot be read or written, into a message and exit code 2."""
    from ginsim.errors import InputError, shown

    try:
        yield
    except InputError as error:
        refuse(str(error))
    except OSError as error:
        where = "" if error.filename is None else f"{shown(error.filename, 200)}: "
        refuse(f"{where}{error.strerror or error}")
    except UnicodeError as error:
        refuse(f"text cannot be read or written: {error}")
    except RecursionError:
        refuse("the input has too many brackets within brackets")
    except OverflowError as error:
        refuse(f"a number is too large ({error})")


def refuse(message: str) -> NoReturn:
    """Say why nothing is done and stop."""
    typer.echo(f"ginsim: {message}", err=True)
    raise typer.Exit(2) from None


@app.callback(invoke_without_command=True)
def _main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        typer.echo(f"ginsim {__version__}")
        raise typer.Exit


@app.command("eval")
def eval_command(
    hand: Annotated[str, typer.Argument(help="Cards, such as '8H 8D 8C 5S 6S 7S AD 4C 9H QS'.")],
    upcard: Annotated[str | None, typer.Option("--upcard", help="What taking this card would do.")] = None,
    rules: RulesOption = "classic25",
) -> None:
    """Show the melds and the deadwood of a hand; with 11 cards, rank the discards."""
    with reported():
        from ginsim.commands.eval import show_hand

        typer.echo(show_hand(hand, upcard, rules))


@app.command()
def run(
    file: Annotated[Path, typer.Argument(**path_of("file", "file"), help="An experiment file (TOML).")],
    out: OutOption = None,
    deals: DealsOption = None,
    games: GamesOption = None,
    seed: Annotated[int | None, typer.Option("--seed", **whole("seed"), help="Another seed than the file's.")] = None,
    workers: WorkersOption = None,
    hands: HandsOption = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over, even if an interrupted run could go on.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Run an experiment into a result folder (results/NAME unless --out says otherwise)."""
    with reported():
        from ginsim.commands.study import run_file

        run_file(file, out, workers, hands, fresh, quiet, command_line(), deals=deals, games=games, seed=seed)


@app.command()
def compare(
    a: Annotated[str, typer.Argument(help="A strategy, such as 'threshold(knock=4)' or my_file.py:name.")],
    b: Annotated[str, typer.Argument(help="Its opponent.")],
    rules: RulesOption = "classic25",
    deals: DealsOption = None,
    games: GamesOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    out: OutOption = None,
    hands: HandsOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play two strategies against each other and say who is better by how much."""
    with reported():
        from ginsim.commands.study import run_settings

        settings: dict[str, Any] = {"kind": "compare", "a": a, "b": b, "deals": 100_000 if deals is None else deals}
        run_settings(settings | {"rules": rules, "games": games, "seed": seed}, out, workers, hands, quiet, command_line())


@app.command()
def tournament(
    strategies: Annotated[list[str], typer.Argument(help="Two or more strategies.")],
    rules: RulesOption = "classic25",
    deals: DealsOption = None,
    games: GamesOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    out: OutOption = None,
    hands: HandsOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play a round robin and rank the field."""
    with reported():
        from ginsim.commands.study import run_settings

        settings: dict[str, Any] = {"kind": "tournament", "strategies": strategies, "deals": 20_000 if deals is None else deals}
        run_settings(settings | {"rules": rules, "games": games, "seed": seed}, out, workers, hands, quiet, command_line())


@app.command()
def effect(
    base: Annotated[str, typer.Argument(help="Rules to depart from, such as classic25.")],
    variants: Annotated[list[str], typer.Argument(help="Rules to compare, or changes of the base: '(knock_limit=5)'.")],
    strategies: Annotated[str, typer.Option("--strategies", help="Who plays: 'a, b, …', in all pairings.")] = "simple",
    deals: DealsOption = None,
    games: GamesOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    out: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Play the same deals under different rules and say what each of them changes."""
    with reported():
        from ginsim.commands.study import run_settings
        from ginsim.errors import InputError
        from ginsim.specs import split_specs

        if not strategies.strip():
            raise InputError(f"strategies: {strategies!r} is not allowed; give one or more, apart by commas")
        settings: dict[str, Any] = {"kind": "effect", "rules": base, "variants": variants, "strategies": split_specs(strategies)}
        settings |= {"deals": 50_000 if deals is None else deals, "games": games, "seed": seed}
        run_settings(settings, out, workers, False, quiet, command_line())


@app.command()
def tune(
    strategy: Annotated[str, typer.Argument(help="Where to start: a shipped strategy, such as lookahead.")],
    against: Annotated[list[str], typer.Option("--against", help="An opponent; give the option once for each.")],
    rules: RulesOption = "eaai",
    minutes: Annotated[float, typer.Option("--minutes", **above_zero("minutes", 43_200), help="Time to tune for.")] = 15,
    generations: Annotated[
        int | None, typer.Option("--generations", **whole("generations", 1, MANY), help="Stop after so many generations.")
    ] = None,
    deals: Annotated[
        int, typer.Option("--deals", **whole("deals", 10, MANY), help="Duplicate pairs in a generation's first heat.")
    ] = 4_000,
    held_out: Annotated[
        int, typer.Option("--held-out", **whole("held_out", 20, MANY), help="Duplicate pairs for the check at the end.")
    ] = 40_000,
    only: Annotated[list[str] | None, typer.Option("--only", help="Tune this parameter; give the option once for each.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", **OUT, help="Folder for the state; the same command goes on from it.")
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    quiet: QuietOption = False,
) -> None:
    """Tune a strategy's parameters for winning games (needs the extra tune)."""
    with reported():
        from ginsim.commands.tune import show

        show(
            strategy, against, rules, minutes=minutes, generations=generations, deals=deals, held_out=held_out, only=only,
            folder=out, seed=seed, workers=workers, quiet=quiet, command=command_line(),
        )  # fmt: skip


@app.command("list")
def list_command(
    what: Annotated[str, typer.Argument(help="strategies, decisions, rules, presets, or all.")] = "all",
) -> None:
    """Show strategies, decisions, rules and presets with their parameters."""
    with reported():
        from ginsim.commands.listing import show

        show(what)


@app.command()
def bench(
    seconds: Annotated[
        float, typer.Option("--seconds", **above_zero("seconds", 60), help="Time for each repeat of each figure.")
    ] = 0.3,
    repeats: Annotated[
        int, typer.Option("--repeats", **whole("repeats", 1, 1000), help="Repeats, of which the median is shown.")
    ] = 5,
    peers: Annotated[bool, typer.Option("--peers/--no-peers", help="Also open-spiel's, if it is installed.")] = True,
) -> None:
    """Measure rates on this machine, side by side with those of an installed peer."""
    with reported():
        from ginsim.commands.bench import show

        show(seconds, repeats, peers)


@app.command()
def scoresheet(
    results: Annotated[str, typer.Argument(help="Hand results, such as 'A23 B18 A41 - B35 A44', or a CSV file.")],
    rules: RulesOption = "classic25",
    names: Annotated[str, typer.Option("--names", help="The players' names.")] = "A,B",
) -> None:
    """Settle a real match: print its score sheet (Hollywood under --rules hollywood)."""
    with reported():
        from ginsim.commands.scoresheet import show

        typer.echo(show(results, rules, names))


def command_line() -> str:
    """The command as typed, for manifests and messages."""
    return shlex.join(["ginsim", *sys.argv[1:]])


class OutputLostError(Exception):
    """Nobody reads standard output any more, or its device is full."""


class Output(io.TextIOWrapper):
    """Standard output: what its encoding lacks is shown as "?", and its failures are told from those of files."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            raise OutputLostError from error

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise OutputLostError from error


def main() -> None:
    """Entry point."""
    closed = sys.stdout is None
    for name in ("stdout", "stderr"):
        if stream := getattr(sys, name):
            output = Output(stream.buffer, stream.encoding, "replace", line_buffering=stream.line_buffering)
        else:
            output = Output(open(os.devnull, "wb"), "utf-8")  # noqa: SIM115, PTH123 - stays open until the end
        setattr(sys, name, output)
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        code: Any = 130
    except SystemExit as stop:
        code = stop.code
    except OutputLostError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what Python still wants to write at its end
        code = 1
    raise SystemExit(1 if closed and not code else code)
