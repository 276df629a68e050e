"""The command line: parses, calls, prints. Heavy modules are imported where a command needs them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

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

RulesOption = Annotated[str, typer.Option("--rules", help="Rules spec: a preset, or a preset with fields changed.")]
SeedOption = Annotated[int, typer.Option("--seed", help="The same seed gives the same result.")]
WorkersOption = Annotated[int | None, typer.Option("--workers", help="Threads; all cores by default.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]
OutOption = Annotated[Path | None, typer.Option("--out", help="Folder for tables, plots, report and manifest.")]
HandsOption = Annotated[bool, typer.Option("--hands", help="Also write the record of every hand (Parquet).")]
DealsOption = Annotated[
    int | None,
    typer.Option("--deals", help="Duplicate pairs of hands for each pairing [compare: 100,000; else 20,000, or the file's]."),
]
GamesOption = Annotated[
    int | None, typer.Option("--games", help="Duplicate pairs of games, 0 for none [a tenth of the deals, or the file's].")
]


@contextmanager
def reported() -> Iterator[None]:
    """Turn bad input into a message and exit code 2."""
    from ginsim.errors import InputError

    try:
        yield
    except InputError as error:
        typer.echo(f"ginsim: {error}", err=True)
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
    file: Annotated[Path, typer.Argument(help="An experiment file (TOML).")],
    out: OutOption = None,
    deals: DealsOption = None,
    games: GamesOption = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Another seed than the file's.")] = None,
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
        from ginsim.specs import split_specs

        settings: dict[str, Any] = {"kind": "effect", "rules": base, "variants": variants, "strategies": split_specs(strategies)}
        settings |= {"deals": 50_000 if deals is None else deals, "games": games, "seed": seed}
        run_settings(settings, out, workers, False, quiet, command_line())


@app.command()
def tune(
    strategy: Annotated[str, typer.Argument(help="Where to start: a shipped strategy, such as lookahead.")],
    against: Annotated[list[str], typer.Option("--against", help="An opponent; give the option once for each.")],
    rules: RulesOption = "eaai",
    minutes: Annotated[float, typer.Option("--minutes", help="Time to tune for.")] = 15,
    generations: Annotated[int | None, typer.Option("--generations", help="Stop after so many generations.")] = None,
    deals: Annotated[int, typer.Option("--deals", help="Duplicate pairs in a generation's first heat.")] = 4_000,
    held_out: Annotated[int, typer.Option("--held-out", help="Duplicate pairs for the check at the end.")] = 40_000,
    only: Annotated[list[str] | None, typer.Option("--only", help="Tune this parameter; give the option once for each.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the state; the same command goes on from it.")] = None,
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
    seconds: Annotated[float, typer.Option("--seconds", help="Time for each repeat of each figure.")] = 0.3,
    repeats: Annotated[int, typer.Option("--repeats", help="Repeats, of which the median is shown.")] = 5,
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


def main() -> None:
    """Entry point."""
    try:
        app()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
