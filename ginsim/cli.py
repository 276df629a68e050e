"""The command line: parses, calls, prints. Heavy modules are imported where a command needs them."""

from __future__ import annotations

import codecs
import gc
import io
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from ginsim import compiling
from ginsim.version import __version__

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
    """How an option is read and shown; what it refuses is reported like any other bad input."""

    def reported_read(value: Any) -> Any:
        with reported():
            return read(value)

    return {"parser": reported_read, "metavar": f"<{kind}>"}


def whole(field: str, low: int | None = None, high: int = 0) -> dict[str, Any]:
    """An option that is a whole number; without a range, that of the field of a study."""

    def read(value: Any) -> int:
        from ginsim.errors import check_count

        text = str(value)
        number = int(text) if re.fullmatch(r"[+-]?[0-9]+(_[0-9]+)*", text) and len(text) < 100 else text
        if low is not None:
            return check_count(field, number, low, high)
        if field == "deal":
            from ginsim.study.hand import check_deal

            return check_deal(number)
        from ginsim.deals import RANGES
        from ginsim.simulation.play import check_workers

        return check_workers(number) if field == "workers" else check_count(field, number, *RANGES[field])

    return reader("int", read)


def number(field: str, allowed: Callable[[float], bool], range_text: str) -> dict[str, Any]:
    """An option that is a number, also in scientific notation."""

    def read(value: Any) -> float:
        from ginsim.errors import InputError, shown

        text = str(value)
        if len(text) > 100 or not re.fullmatch(r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text) or not allowed(float(text)):
            raise InputError(f"{field}: {shown(text)} is not allowed; give a number {range_text}")
        return float(text)

    return reader("float", read)


def above_zero(field: str, most: int) -> dict[str, Any]:
    """An option that is a number above 0."""
    return number(field, lambda x: 0 < x <= most, f"above 0, up to {most}")


POINTS = number("points", lambda x: 0.001 <= x <= 1000, "from 0.001 to 1000")


def share(field: str) -> dict[str, Any]:
    """An option that is a share of errors: below one half, and not so small that no study shows it."""
    return number(field, lambda x: 1e-6 <= x < 0.5, "of at least 0.000001 and below 0.5")


def path_of(field: str, what: str) -> dict[str, Any]:
    """An option or argument that is a path; an empty one would mean the current folder."""

    def read(value: Any) -> Path:
        from ginsim.errors import InputError

        if not str(value).strip():
            raise InputError(f"{field}: {str(value)!r} is not allowed; give a {what}")
        return Path(value)

    return reader("path", read)


RulesOption = Annotated[str, typer.Option("--rules", help="The rules: a preset, or a preset with fields changed.")]
SeedOption = Annotated[int, typer.Option("--seed", **whole("seed"), help="The same seed gives the same result.")]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", **whole("workers"), help="Number of threads; all cores by default.")
]


def _read_quiet(quiet: bool) -> bool:
    """``--quiet``: nobody hears of what is compiled either."""
    if quiet:
        compiling.listeners.clear()
    return quiet


QuietOption = Annotated[bool, typer.Option("--quiet", "-q", callback=_read_quiet, help="Show no progress.")]
OUT = path_of("out", "folder")
OutOption = Annotated[Path | None, typer.Option("--out", **OUT, help="Folder for tables, plots, report and manifest.")]
TrainedOption = Annotated[
    Path, typer.Option("--out", **OUT, help="Folder for report, tables, plots and weights; the same command resumes from it.")
]
TrainMinutesOption = Annotated[
    float, typer.Option("--minutes", **above_zero("minutes", 43_200), help="How long to train, in minutes.")
]
IterationsOption = Annotated[
    int | None, typer.Option("--iterations", **whole("iterations", 1, 1000), help="Stop after this many iterations.")
]
StartOption = Annotated[str, typer.Option("--start", help="The strategy that plays in the first iteration.")]
RowsOption = Annotated[
    int, typer.Option("--rows", **whole("rows", 80_000, 20_000_000), help="Choices played out in each iteration.")
]
TrainDealsOption = Annotated[
    int, typer.Option("--deals", **whole("deals", 100, 10_000_000), help="Pairs of hands on which the trained player is judged.")
]
FreshOption = Annotated[
    bool, typer.Option("--fresh", help="Start over: resume no interrupted run, and replace whatever result the folder holds.")
]
AdaptOption = Annotated[
    str | None,
    typer.Option("--adapt", help="'knock': solve the knock for each strategy in each cell, from --deals deals (100,000)."),
]
EffectAdaptOption = Annotated[
    str | None,
    typer.Option(
        "--adapt",
        help="'knock': solve the knock for each strategy under each set of rules, from --deals deals (100,000). 'play': "
        "train a player under each set of rules (10 minutes each; needs the extra train and --out).",
    ),
]
BY = (
    "games_won (the default, because the rules play to a target and settle whole games), margin_per_game, or "
    "points_per_hand (the default if no games are played). The others are shown beside it."
)
ByOption = Annotated[str | None, typer.Option("--by", help=f"What better means: {BY}")]
ByOfPointsOption = Annotated[
    str | None,
    typer.Option("--by", help=f"What better means: {BY} With --until or --control, points_per_hand is the default."),
]
StudyFormatOption = Annotated[
    str, typer.Option("--format", help="table; or, for other programs, csv (the main table) or json (all tables).")
]
HandsOption = Annotated[bool, typer.Option("--hands", help="Also write the record of every hand (Parquet).")]


def deals_of(default: str, pairing: str = " for each pairing") -> Any:
    """``--deals`` of a command: duplicate pairs of hands, and how many there are by default."""
    return typer.Option("--deals", **whole("deals"), help=f"Duplicate pairs of hands{pairing} ({default}).")


def games_of(default: str) -> Any:
    """``--games`` of a command."""
    return typer.Option("--games", **whole("games"), help=f"Duplicate pairs of games, 0 for none ({default}).")


TENTH = games_of("a tenth of the deals")
DaskOption = Annotated[str | None, typer.Option("--dask", help="Play on the Dask cluster of this scheduler: tcp://host:8786.")]
FOLDER = path_of("folder", "folder")
FolderArgument = Annotated[Path, typer.Argument(**FOLDER, help="A result folder.")]


@contextmanager
def reported() -> Iterator[None]:
    """Turn bad input, and files that cannot be read or written, into a message and exit code 2."""
    from ginsim.errors import InputError, os_error_text

    try:
        yield
    except InputError as error:
        refuse(str(error))
    except OSError as error:
        refuse(os_error_text(error))
    except MemoryError:
        refuse("there is not enough memory for this")
    except UnicodeError as error:
        refuse(f"text cannot be read or written: {error}")
    except RecursionError:
        refuse("the input has too many brackets within brackets")
    except OverflowError as error:
        refuse(f"a number is too large ({error})")


def refuse(message: str) -> NoReturn:
    """Say why nothing is done and stop."""
    from ginsim.commands import tell

    tell(f"ginsim: {message}", err=True)
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
    hand: Annotated[str, typer.Argument(help="The cards, such as '8H 8D 8C 5S 6S 7S AD 4C 9H QS'.")],
    upcard: Annotated[str | None, typer.Option("--upcard", help="Also show what taking this card would do.")] = None,
    rules: RulesOption = "classic25",
    table: Annotated[
        str | None, typer.Option("--table", help="Table game: the melds on the table, such as '3H 4H 5H | 7S 7D 7C'.")
    ] = None,
    pile: Annotated[str | None, typer.Option("--pile", help="Table game: the discard pile, the top card last.")] = None,
) -> None:
    """Show the melds and the deadwood of a hand; with 11 cards, rank the discards; in the table game, show the best turns."""
    with reported():
        from ginsim.commands import tell
        from ginsim.commands.eval import show_hand

        tell(show_hand(hand, upcard, rules, table, pile))


@app.command()
def replay(
    strategies: Annotated[
        list[str], typer.Argument(help="Two strategies ('threshold(knock=4)', my_file.py:name …), or one per seat.")
    ],
    deal: Annotated[
        int, typer.Option("--deal", **whole("deal"), help="Index of the deal; hand h of game g is 2**40 + 4096 * g + h.")
    ],
    seed: SeedOption = 0,
    rules: RulesOption = "classic25",
    play: Annotated[
        int, typer.Option("--play", **whole("play", 0, 5), help="Which play of the deal; in play 0 the first strategy starts.")
    ] = 0,
    form: Annotated[str, typer.Option("--format", help="text, json or record (gin; see ginsim record).")] = "text",
    picture: Annotated[
        Path | None, typer.Option("--picture", **path_of("picture", "file"), help="Also draw the cards: .png, .svg or .pdf.")
    ] = None,
) -> None:
    """Show one hand turn by turn: exactly the hand that a study played, found by deal, seed and play."""
    with reported():
        from ginsim.commands.replay import show

        show(strategies, deal, seed, rules, play, form, picture)


@app.command()
def play(
    against: Annotated[str, typer.Option("--against", help="The strategy to play against.")] = "champion",
    rules: RulesOption = "classic25",
    seed: Annotated[
        int | None, typer.Option("--seed", **whole("seed"), help="The same seed deals the same cards; without a seed, new ones.")
    ] = None,
    second: Annotated[bool, typer.Option("--second", help="The opponent starts.")] = False,
    record: Annotated[
        Path | None, typer.Option("--record", **path_of("record", "file"), help="File for the record of the hand.")
    ] = None,
    review: Annotated[bool, typer.Option("--review", help="At the end, judge every decision, as review --quick does.")] = False,
) -> None:
    """Play a hand of two-player gin yourself, in the terminal."""
    with reported():
        from ginsim.commands.play import show

        show(against, rules, seed, second, record, review)


@app.command()
def record(
    files: Annotated[list[Path], typer.Argument(**path_of("file", "file"), help="Recorded hands of two-player gin.")],
    rules: Annotated[str, typer.Option("--rules", help="The rules, where a file does not name them.")] = "classic25",
    notation: Annotated[
        str | None,
        typer.Option("--notation", help="record, json, text, openspiel or pbn; by default what the file looks like."),
    ] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Mark moves that the rules do not allow, and go on.")] = False,
) -> None:
    """Check recorded hands against the rules, and write them in ginsim's notation.

    Reads that notation, what ginsim replay prints, OpenSpiel's histories, and files with headers like those of PBN.
    """
    with reported():
        from ginsim.commands.record import show

        show(files, rules, notation, lenient)


@app.command()
def review(
    files: Annotated[
        list[Path], typer.Argument(**path_of("file", "file"), help="Recorded hands of two-player gin: files, or folders of them.")
    ],
    rules: Annotated[str, typer.Option("--rules", help="The rules, where a file does not name them.")] = "classic25",
    rollouts: Annotated[
        int | None,
        typer.Option(
            "--rollouts", **whole("rollouts", 2, 1_000_000), help="Draws of the hidden cards for each decision (1,000)."
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A rougher review: 200 draws.")] = False,
    seed: SeedOption = 0,
    by: Annotated[
        str | None,
        typer.Option("--by", help="What counts: points, or game (the chance of winning it; the default if a hand has a score)."),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            help="The strategy that plays on for both (champion_rollout); strong_rollout: a turn each by the nets, then plainly.",
        ),
    ] = None,
    notation: Annotated[
        str | None,
        typer.Option("--notation", help="record, json, text, openspiel or pbn; by default what the file looks like."),
    ] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Skip moves that the rules do not allow.")] = False,
    form: Annotated[str, typer.Option("--format", help="table, csv (every decision) or json.")] = "table",
    out: Annotated[Path | None, typer.Option("--out", **OUT, help="Folder for the report, pictures and tables.")] = None,
    workers: WorkersOption = None,
    quiet: QuietOption = False,
) -> None:
    """Judge recorded hands: the best choice at every decision, what the choice that was made cost, how much was luck."""
    with reported():
        from ginsim.commands.review import show

        show(
            files, rules, rollouts=rollouts, quick=quick, seed=seed, by=by, player=player, notation=notation, lenient=lenient,
            form=form, out=out, workers=workers, quiet=quiet, command=command_line(),
        )  # fmt: skip


@app.command()
def advise(
    hand: Annotated[str, typer.Argument(help="Your cards; gin: 10 to choose the draw, 11 to choose the discard and the knock.")],
    upcard: Annotated[
        str | None, typer.Option("--upcard", help="Gin: the top of the discard pile; with 11 cards, the card just taken or left.")
    ] = None,
    seen: Annotated[str | None, typer.Option("--seen", help="Gin: other cards in the discard pile.")] = None,
    discarded: Annotated[str | None, typer.Option("--discarded", help="Gin: your discards, in order.")] = None,
    opponent_discarded: Annotated[
        str | None, typer.Option("--opponent-discarded", help="Gin: the opponent's discards, in order (the upcard is the last).")
    ] = None,
    opponent_took: Annotated[
        str | None,
        typer.Option(
            "--opponent-took", help="Gin: cards the opponent took from the pile; best with one entry a turn, - for the stock."
        ),
    ] = None,
    dealer: Annotated[bool, typer.Option("--dealer", help="Gin: you dealt, so the opponent had the first turn.")] = False,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", **whole("limit", 0, 100), help="Gin: the most deadwood allowed for a knock, if an upcard has set it."
        ),
    ] = None,
    score: Annotated[
        tuple[int, int] | None,
        typer.Option(
            "--score", help="Gin: the scores in the game, yours first; choices are ranked by the chance of winning the game."
        ),
    ] = None,
    pile: Annotated[str | None, typer.Option("--pile", help="Table game: the discard pile, the top card last.")] = None,
    table: Annotated[
        str | None, typer.Option("--table", help="Table game: the melds on the table, such as '3H 4H 5H | 7S 7D 7C'.")
    ] = None,
    counts: Annotated[
        str | None,
        typer.Option("--counts", help="Table game: number of cards in each other hand, the next player first, such as '7 5 4'."),
    ] = None,
    held: Annotated[
        str | None, typer.Option("--held", help="Table game: cards known to be in each other hand, such as 'KS QS | | 2C'.")
    ] = None,
    drawn: Annotated[
        str | None,
        typer.Option("--drawn", help="Table game: cards just taken from the pile, the deepest first, or stock; ranks the plays."),
    ] = None,
    claim: Annotated[str | None, typer.Option("--claim", help="Table game: a discard that you may claim.")] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", **whole("seat", 0, 5), help="Table game: your seat, 0 by default; seat 0 starts.")
    ] = None,
    discarder: Annotated[
        int | None,
        typer.Option(
            "--discarder", **whole("discarder", 0, 5), help="Table game: the seat whose discard it is (the one before yours)."
        ),
    ] = None,
    scores: Annotated[
        str | None, typer.Option("--scores", help="Table game: everybody's score in the game, yours first, such as '20 -5 -15'.")
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option("--turn", **whole("turn", 1, 400), help="Your turn, from 1; by default worked out from what is known."),
    ] = None,
    stock: Annotated[
        int | None,
        typer.Option(
            "--stock", **whole("stock", 0, 52), help="Cards left in the stock; by default worked out from what is known."
        ),
    ] = None,
    rules: RulesOption = "classic25",
    rollouts: Annotated[
        int | None,
        typer.Option(
            "--rollouts", **whole("rollouts", 2, 1_000_000), help="How often each choice is played (gin 2,000, table game 500)."
        ),
    ] = None,
    seed: SeedOption = 0,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            help="Who plays on for everybody (gin: strong; table game: expert); strong_rollout: as in its rollouts, quicker.",
        ),
    ] = None,
    form: Annotated[str, typer.Option("--format", help="table, csv or json.")] = "table",
) -> None:
    """Rank the choices with a hand, with 95 % intervals: draws, discards, knocking; in the table game also melds and claims."""
    with reported():
        from ginsim.commands.advise import show

        gin = {
            "upcard": upcard, "seen": seen, "discarded": discarded, "opponent_discarded": opponent_discarded,
            "opponent_took": opponent_took, "dealer": dealer or None, "limit": limit, "score": score,
        }  # fmt: skip
        at_table = {
            "pile": pile, "table": table, "counts": counts, "held": held, "drawn": drawn, "claim": claim, "seat": seat,
            "discarder": discarder, "scores": scores,
        }  # fmt: skip
        both = {"turn": turn, "stock": stock, "rollouts": rollouts, "player": player}
        show(hand, rules, seed, form, both, gin=gin, table=at_table)


@app.command()
def run(
    file: Annotated[Path, typer.Argument(**path_of("file", "file"), help="An experiment file (TOML); a folder with --all.")],
    out: OutOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="Run all files in the folder whose results are missing or out of date.")
    ] = False,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", **above_zero("minutes", 43_200), help="With --all: start no file after this many minutes."),
    ] = None,
    deals: Annotated[int | None, deals_of("as the file says")] = None,
    games: Annotated[int | None, games_of("as the file says; with --deals, a tenth of the deals")] = None,
    seed: Annotated[int | None, typer.Option("--seed", **whole("seed"), help="A seed other than the file's.")] = None,
    workers: WorkersOption = None,
    hands: HandsOption = False,
    part: Annotated[str | None, typer.Option("--part", help="Play only this part of the deals, such as 2/5; see merge.")] = None,
    fresh: FreshOption = False,
    dask: DaskOption = None,
    quiet: QuietOption = False,
) -> None:
    """Run an experiment into a result folder (results/NAME unless --out says otherwise).

    Strategy files named in it (path/to/file.py:name) are run as Python; nothing else in it is run.
    """
    with reported():
        from ginsim.commands.study import run_all, run_file
        from ginsim.errors import InputError
        from ginsim.simulation.cluster import cluster

        changed = {"--out": out, "--deals": deals, "--games": games, "--seed": seed, "--hands": hands or None, "--part": part}
        given = [name for name, value in changed.items() if value is not None]
        if every and given:
            raise InputError(f"{given[0]}: cannot be given with --all; each file is run as it is, into results/NAME")
        if minutes is not None and not every:
            raise InputError("minutes: needs --all; a single experiment is played to its end")
        with cluster(dask):
            if every:
                run_all(file, minutes, workers, fresh, quiet)
                return
            run_file(file, out, workers, hands, fresh, quiet, command_line(), deals=deals, games=games, seed=seed, part=part)


@app.command()
def resume(folder: FolderArgument, workers: WorkersOption = None, dask: DaskOption = None, quiet: QuietOption = False) -> None:
    """Resume an interrupted run, whatever interrupted it.

    Strategy files named in it (path/to/file.py:name) are run as Python, provided they have not changed.
    """
    with reported():
        from ginsim.commands.study import go_on
        from ginsim.simulation.cluster import cluster

        with cluster(dask):
            go_on(folder, workers, quiet)


@app.command()
def status(folders: Annotated[list[Path], typer.Argument(**FOLDER, help="One or more result folders.")]) -> None:
    """Show how far the runs in these folders have got."""
    with reported():
        from ginsim.commands.study import show_status

        show_status(folders)


@app.command()
def merge(
    folders: Annotated[list[Path], typer.Argument(**FOLDER, help="Results of one study on different deals.")],
    out: Annotated[Path, typer.Option("--out", **OUT, help="Folder for the result.")],
) -> None:
    """Merge results of the same study with different seeds, or of different parts of the deals."""
    with reported():
        from ginsim.commands.study import show_merged

        show_merged(folders, out)


@app.command()
def report(folder: FolderArgument, by: ByOption = None) -> None:
    """Write the report, tables and plots of a finished study again from its sums, without playing."""
    with reported():
        from ginsim.commands.study import show_again

        show_again(folder, by)


@app.command()
def plot(
    folder: FolderArgument,
    form: Annotated[
        list[str] | None, typer.Option("--format", help="png, svg or pdf; give the option once for each (png, svg).")
    ] = None,
) -> None:
    """Draw the plots of a finished study again from its sums, without playing."""
    with reported():
        from ginsim.commands.study import show_plots

        show_plots(folder, form or ["png", "svg"])


@app.command()
def charts(
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME", help="Results of ginsim solve, shipped charts (ginsim list charts), chart files."),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", **path_of("out", "file"), help="A page (.html), a picture (.png, .svg, .pdf), or a folder."),
    ] = None,
    title: Annotated[str, typer.Option("--title", help="Heading.")] = "When to knock",
) -> None:
    """Show charts of when to knock: in brief, or as a page where you choose a chart and look at every cell.

    If --out is a folder, the pictures are written too and, for solved knocks, a report with the charts side by side.
    """
    with reported():
        from ginsim.commands.charts import show

        show(names, out, title, command_line())


@app.command()
def gallery(
    folder: Annotated[Path, typer.Argument(**path_of("folder", "folder"), help="Folder that holds result folders.")] = Path(
        "results"
    ),
) -> None:
    """Write the front page of a folder of results (README.md): each study's question, answer and first picture."""
    with reported():
        from ginsim.report.gallery import gallery

        print(gallery(folder))


@app.command()
def guide(topic: Annotated[str, typer.Argument(help="A page of the guide; without one, the pages are listed.")] = "") -> None:
    """Explain how to do things with ginsim, one page for each: comparing, knocking, rules, players, hands and more."""
    with reported():
        from ginsim.commands.guide import show

        show(topic)


@app.command()
def validate(
    files: Annotated[list[Path], typer.Argument(**path_of("file", "file"), help="Experiment files.")],
    imports: Annotated[bool, typer.Option("--import", help="Also import (run) the strategy files they name.")] = False,
) -> None:
    """Check experiment files: report every mistake with its key and line. Strategy files are run only with --import."""
    with reported():
        from ginsim.commands.study import validate_files

        validate_files(files, imports)


@app.command()
def schema(
    out: Annotated[Path | None, typer.Option("--out", **path_of("out", "file"), help="File to write to.")] = None,
) -> None:
    """Print the JSON schema of experiment files, for editors."""
    with reported():
        from ginsim.commands.study import write_schema

        write_schema(out)


@app.command()
def compare(
    a: Annotated[str, typer.Argument(help="A strategy, such as 'threshold(knock=4)' or my_file.py:name.")],
    b: Annotated[str, typer.Argument(help="Its opponent.")],
    rules: RulesOption = "classic25",
    deals: Annotated[int | None, deals_of("100,000; with --until at most 1,000,000", "")] = None,
    games: Annotated[int | None, games_of("a tenth of the deals; with --until none")] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    out: OutOption = None,
    hands: HandsOption = False,
    until: Annotated[str, typer.Option("--until", help="'decided': stop as soon as a sequential test has decided.")] = "",
    points: Annotated[
        float | None,
        typer.Option("--points", **POINTS, help="With --until: the difference in points per hand worth finding (0.25)."),
    ] = None,
    alpha: Annotated[
        float | None, typer.Option("--alpha", **share("alpha"), help="With --until: chance of a false alarm (0.05).")
    ] = None,
    beta: Annotated[
        float | None, typer.Option("--beta", **share("beta"), help="With --until: chance of missing a difference (0.05).")
    ] = None,
    control: Annotated[bool, typer.Option("--control", help="Take the luck of the draw out of the points.")] = False,
    by: ByOfPointsOption = None,
    bootstrap: Annotated[bool, typer.Option("--bootstrap", help="Check the interval with a bootstrap (needs --hands).")] = False,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
    form: StudyFormatOption = "table",
) -> None:
    """Play two strategies against each other and say which is better and by how much."""
    with reported():
        from ginsim.commands.study import compare_settings, run_settings

        settings = compare_settings(a, b, deals, until, control, points=points, alpha=alpha, beta=beta)
        settings |= {"rules": rules, "games": games, "seed": seed, "by": by}
        run_settings(settings, out, workers, hands, quiet, command_line(), fresh, bootstrap, form=form)


@app.command()
def opponent(
    watcher: Annotated[str, typer.Argument(help="The strategy that estimates, such as champion.")],
    opponents: Annotated[list[str], typer.Argument(help="The strategies whose cards it estimates, one or more.")],
    rules: RulesOption = "eaai",
    deals: Annotated[
        int | None,
        typer.Option("--deals", **whole("deals"), help="Duplicate pairs of hands against each (2,000; with --fit 1,000)."),
    ] = None,
    seed: SeedOption = 0,
    fit: Annotated[bool, typer.Option("--fit", help="Fit the factors of the opponent model instead.")] = False,
    workers: WorkersOption = None,
    out: OutOption = None,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
) -> None:
    """Measure how well the estimated chances that an opponent holds each unseen card agree with the cards held."""
    with reported():
        from ginsim.commands.opponent import show

        show(watcher, opponents, deals, fit, workers, out, quiet, command_line(), fresh, rules=rules, seed=seed)


@app.command()
def odds(
    a: Annotated[str, typer.Argument(help="A strategy, such as 'threshold(knock=4)' or my_file.py:name.")],
    b: Annotated[str, typer.Argument(help="Its opponent.")],
    rules: RulesOption = "classic25",
    deals: Annotated[int | None, deals_of("100,000", "")] = None,
    games: Annotated[int | None, TENTH] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    out: OutOption = None,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
    form: StudyFormatOption = "table",
) -> None:
    """Show the chance of winning a game from every score, worked out from hands, with games played as a check."""
    with reported():
        from ginsim.commands.study import run_settings

        settings: dict[str, Any] = {"kind": "odds", "a": a, "b": b, "deals": 100_000 if deals is None else deals}
        settings |= {"rules": rules, "games": games, "seed": seed}
        run_settings(settings, out, workers, False, quiet, command_line(), fresh, form=form)


@app.command()
def solve(
    strategy: Annotated[str, typer.Argument(help="The strategy that draws and discards, such as threshold or champion.")],
    rules: RulesOption = "classic25",
    against: Annotated[
        str | None, typer.Option("--against", help="Also find the best reply to the way this strategy knocks.")
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            "--by", help="What counts: points (of the hand), boxes (points and box bonus), games (won) or margin (per game)."
        ),
    ] = "points",
    knows: Annotated[
        str, typer.Option("--knows", help="What the chart knows: any of deadwood, unmatched, taken, last, limit, stock.")
    ] = "deadwood,unmatched",
    scores: Annotated[
        str | None,
        typer.Option("--scores", help="With --by games or margin: more scores to show charts for, such as 90:50,50:90."),
    ] = None,
    deals: Annotated[
        int, typer.Option("--deals", **whole("deals"), help="Number of deals that the chart is made from.")
    ] = 200_000,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    out: OutOption = None,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
) -> None:
    """Solve the knock: find a chart of when to knock such that, if both players use it, neither gains by knocking differently."""
    with reported():
        from ginsim.commands.study import run_settings

        settings: dict[str, Any] = {"kind": "solve", "strategy": strategy, "rules": rules, "by": by, "knows": knows}
        settings |= {"deals": deals, "seed": seed} | ({"against": against} if against else {})
        settings |= {"scores": scores} if scores else {}
        run_settings(settings, out, workers, False, quiet, command_line(), fresh)


@app.command()
def stats(
    strategy: Annotated[list[str], typer.Option("--strategy", help="Who plays itself; give the option once for each.")],
    rules: Annotated[
        list[str] | None, typer.Option("--rules", help="Rules, or changes to the first such as '(knock_limit=5)' (classic25).")
    ] = None,
    opponent: Annotated[str | None, typer.Option("--opponent", help="Whom they all play instead of themselves.")] = None,
    knock: Annotated[
        int | None, typer.Option("--knock", **whole("knock", 0, 31), help="What a knock with so much risks and brings (--turn).")
    ] = None,
    turn: Annotated[int | None, typer.Option("--turn", **whole("turn", 1, 31), help="The knocker's own turn, from 1.")] = None,
    deals: Annotated[
        int, typer.Option("--deals", **whole("deals"), help="Deals for each strategy and rules, each played twice.")
    ] = 250_000,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    out: OutOption = None,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
    form: StudyFormatOption = "table",
) -> None:
    """Show what hands are like: length, endings, deadwood by turn, the risk of a knock, knocking or going on, and the cards."""
    with reported():
        from ginsim.commands.stats import show

        every = rules or ["classic25"]
        show(strategy, every, opponent, deals, seed, knock, turn, out, workers, quiet, command_line(), fresh, form)


@app.command()
def claims(
    folder: Annotated[Path, typer.Argument(**path_of("folder", "folder"), help="Folder of the claims, one file each.")] = Path(
        "experiments/claims"
    ),
    out: Annotated[Path, typer.Option("--out", **OUT, help="Folder for the page and the studies.")] = Path("results/claims"),
    deals: Annotated[
        int | None, typer.Option("--deals", **whole("deals"), help="Number of deals, instead of what the files say.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Play again the studies that were played already.")] = False,
    workers: WorkersOption = None,
    quiet: QuietOption = False,
) -> None:
    """Test what writers claim: play the study of each claim and write a page of verdicts with their intervals."""
    with reported():
        from ginsim.commands.claims import show

        show(folder, out, deals, fresh, workers, quiet, command_line())


@app.command()
def tournament(
    strategies: Annotated[list[str], typer.Argument(help="Two or more strategies.")],
    rules: RulesOption = "classic25",
    deals: Annotated[int | None, deals_of("20,000")] = None,
    games: Annotated[int | None, TENTH] = None,
    by: ByOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    out: OutOption = None,
    hands: HandsOption = False,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
    form: StudyFormatOption = "table",
) -> None:
    """Play a round robin and rank the field."""
    with reported():
        from ginsim.commands.study import run_settings

        settings = {"kind": "tournament", "strategies": strategies, "rules": rules, "deals": deals, "games": games, "seed": seed}
        run_settings(settings | {"by": by}, out, workers, hands, quiet, command_line(), fresh, form=form)


@app.command()
def mixture(
    seats: Annotated[
        list[str], typer.Argument(help="The strategies at one table, one per seat; a strategy may take more than one seat.")
    ],
    rules: Annotated[
        str | None, typer.Option("--rules", help="The rules (house, with as many players as there are strategies).")
    ] = None,
    deals: Annotated[int | None, deals_of("20,000", "")] = None,
    games: Annotated[int | None, TENTH] = None,
    by: ByOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    out: OutOption = None,
    hands: HandsOption = False,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
    form: StudyFormatOption = "table",
) -> None:
    """Play strategies together at one table, each in every seat in turn on the same deal, and rank them."""
    with reported():
        from ginsim.commands.study import run_settings

        settings = {"kind": "mixture", "seats": seats, "rules": rules, "deals": deals, "games": games, "seed": seed}
        run_settings(settings | {"by": by}, out, workers, hands, quiet, command_line(), fresh, form=form)


@app.command()
def effect(
    base: Annotated[str, typer.Argument(help="Rules to start from, such as classic25.")],
    variants: Annotated[list[str], typer.Argument(help="Rules to compare, or changes to the base: '(knock_limit=5)'.")],
    strategies: Annotated[
        str | None,
        typer.Option(
            "--strategies",
            help="Who plays ('a, b, …'), in all pairings; with --adapt play, who is trained. [default: simple; strong]",
        ),
    ] = None,
    deals: Annotated[int | None, deals_of("50,000", " for each pairing and each rule")] = None,
    games: Annotated[int | None, TENTH] = None,
    by: ByOption = None,
    about: Annotated[
        str | None, typer.Option("--about", help="The measure that the answer is about: points, gin, undercut, turns, starter …")
    ] = None,
    adapt: EffectAdaptOption = None,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", **above_zero("minutes", 43_200), help="With --adapt play: how long to train each player."),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option("--iterations", **whole("iterations", 1, 1000), help="With --adapt play: stop after this many iterations."),
    ] = None,
    rows: Annotated[
        int | None,
        typer.Option(
            "--rows", **whole("rows", 80_000, 20_000_000), help="With --adapt play: choices played out in each iteration."
        ),
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    out: OutOption = None,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
    form: StudyFormatOption = "table",
) -> None:
    """Play the same deals under different rules and say what each changes; with --adapt, also once players have adapted."""
    with reported():
        from ginsim.commands.study import effect_settings, run_settings

        asked = {"by": by, "about": about}
        settings = effect_settings(strategies, deals, adapt, out, asked, minutes=minutes, iterations=iterations, rows=rows)
        settings |= {"rules": base, "variants": variants, "games": games, "seed": seed}
        run_settings(settings, out, workers, False, quiet, command_line(), fresh, form=form)


@app.command("map")
def rule_map(
    x: Annotated[str, typer.Argument(help="The rule across and its values: gin_bonus=0,10,20.")],
    y: Annotated[str, typer.Argument(help="The rule down and its values: undercut_bonus=0,10,20.")],
    strategies: Annotated[
        str, typer.Option("--strategies", help="Two or more, 'a, b, …'; each cell shows the best. With --adapt, one is enough.")
    ],
    rules: RulesOption = "classic25",
    deals: Annotated[int | None, deals_of("2,000", " for each pairing in each cell")] = None,
    adapt: AdaptOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    out: OutOption = None,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
) -> None:
    """Map two rules: the best strategy in each cell; with --adapt, what hands are like if both knock as well as possible."""
    with reported():
        from ginsim.commands.study import axis_settings, run_settings
        from ginsim.specs import split_specs

        settings: dict[str, Any] = {"kind": "map", "x": axis_settings("x", x), "y": axis_settings("y", y), "rules": rules}
        settings |= {"strategies": split_specs(strategies), "deals": deals, "seed": seed, "adapt": adapt}
        run_settings(settings, out, workers, False, quiet, command_line(), fresh)


@app.command()
def tune(
    strategy: Annotated[str, typer.Argument(help="Where to start: a shipped strategy, such as lookahead.")],
    against: Annotated[list[str], typer.Option("--against", help="An opponent; give the option once for each.")],
    rules: RulesOption = "eaai",
    minutes: Annotated[
        float, typer.Option("--minutes", **above_zero("minutes", 43_200), help="How long to tune, in minutes.")
    ] = 15,
    generations: Annotated[
        int | None, typer.Option("--generations", **whole("generations", 1, MANY), help="Stop after this many generations.")
    ] = None,
    deals: Annotated[
        int, typer.Option("--deals", **whole("deals", 10, MANY), help="Duplicate pairs in the first round of a generation.")
    ] = 4_000,
    held_out: Annotated[
        int, typer.Option("--held-out", **whole("held_out", 20, MANY), help="Duplicate pairs for the check at the end.")
    ] = 40_000,
    only: Annotated[list[str] | None, typer.Option("--only", help="Tune this parameter; give the option once for each.")] = None,
    step: Annotated[
        float,
        typer.Option(
            "--step", **above_zero("step", 10), help="Spread of the first generation; less than 1 searches near the start."
        ),
    ] = 1.0,
    out: Annotated[
        Path | None, typer.Option("--out", **OUT, help="Folder for the state of the search; the same command resumes from it.")
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    quiet: QuietOption = False,
) -> None:
    """Tune a strategy's parameters to win games (needs the extra tune)."""
    with reported():
        from ginsim.commands.tune import show

        show(
            strategy, against, rules, minutes=minutes, generations=generations, deals=deals, held_out=held_out, only=only,
            step=step, folder=out, seed=seed, workers=workers, quiet=quiet, command=command_line(),
        )  # fmt: skip


@app.command()
def train(
    rules: Annotated[str, typer.Argument(help="The rules: a preset, or a preset with fields changed.")],
    out: TrainedOption,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", help="An opponent, or 'itself'; give the option once for each. [default: simple]"),
    ] = None,
    minutes: TrainMinutesOption = 10,
    iterations: IterationsOption = None,
    start: StartOption = "champion",
    rows: RowsOption = 1_600_000,
    games: Annotated[
        int, typer.Option("--games", **whole("games", 100, 1_000_000), help="Pairs of games on which each iteration is judged.")
    ] = 2_500,
    then: Annotated[
        str | None,
        typer.Option(
            "--then",
            help="Weights (a name or a file) to play by for the rest of a game once the opponent has been seen to knock late.",
        ),
    ] = None,
    deals: TrainDealsOption = 2_000,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
) -> None:
    """Train a player to win games under these rules, and say whether it beats the one it began as (needs the extra train)."""
    with reported():
        from ginsim.commands.train import show_training

        settings = {
            "rules": rules, "against": against, "minutes": minutes, "iterations": iterations, "start": start, "rows": rows,
            "games": games, "deals": deals, "then": then, "seed": seed,
        }  # fmt: skip
        show_training(settings, out, workers, quiet, command_line(), fresh)


@app.command()
def exploit(
    strategies: Annotated[list[str], typer.Argument(help="One strategy to beat or several; each gets a responder of its own.")],
    out: TrainedOption,
    rules: RulesOption = "classic25",
    minutes: TrainMinutesOption = 5,
    iterations: IterationsOption = None,
    start: StartOption = "champion",
    rows: RowsOption = 1_200_000,
    games: Annotated[
        int, typer.Option("--games", **whole("games", 100, 1_000_000), help="Pairs of games on which the responder is judged.")
    ] = 5_000,
    deals: TrainDealsOption = 10_000,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
) -> None:
    """Train a player to beat a strategy, and say by how much it does: a lower bound on how far the strategy can be exploited."""
    with reported():
        from ginsim.commands.train import show_exploiting

        settings = {
            "rules": rules, "strategies": strategies, "minutes": minutes, "iterations": iterations, "start": start, "rows": rows,
            "games": games, "deals": deals, "seed": seed,
        }  # fmt: skip
        show_exploiting(settings, out, workers, quiet, command_line(), fresh)


@app.command("list")
def list_command(
    what: Annotated[
        str | None,
        typer.Argument(
            help="strategies, decisions, rules or presets; gin or table for all of that game; all; or a name, such as champion. "
            "Without it, only the names of everything."
        ),
    ] = None,
    name: Annotated[str | None, typer.Argument(help="Only the one of this name, as in 'strategies champion'.")] = None,
) -> None:
    """Show strategies, decisions, rules and presets with their parameters, or one of them by name."""
    with reported():
        from ginsim.commands.listing import show

        show(what, name)


@app.command()
def bench(
    seconds: Annotated[
        float, typer.Option("--seconds", **above_zero("seconds", 60), help="Seconds for each repeat of each figure.")
    ] = 0.3,
    repeats: Annotated[
        int, typer.Option("--repeats", **whole("repeats", 1, 1000), help="Number of repeats; their median is shown.")
    ] = 5,
    peers: Annotated[bool, typer.Option("--peers/--no-peers", help="Also measure open-spiel, if it is installed.")] = True,
    first_uses: Annotated[
        int,
        typer.Option(
            "--first-uses", **whole("first_uses", 0, 100), help="Also compile everything anew this many times, a minute each."
        ),
    ] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", **path_of("out", "file"), help="File to keep the figures in (JSON).")
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            **path_of("against", "file"),
            help="A file that an earlier run kept with --out: also show the ratios to it.",
        ),
    ] = None,
) -> None:
    """Measure speed on this machine, beside an installed peer or an earlier run; takes at least a minute or two."""
    with reported():
        from ginsim.commands.bench import show

        show(seconds, repeats, peers, first_uses, out, against)


@app.command()
def warm(quiet: QuietOption = False) -> None:
    """Compile everything ahead of time, once for this version, in a minute or two; then every command starts at once.

    Without it, each command compiles what it needs when it is first used, and says so.
    """
    with reported():
        from ginsim.commands.warm import show

        compiling.listeners.clear()
        show(quiet)


@app.command()
def scoresheet(
    results: Annotated[str, typer.Argument(help="Hand results, such as 'A23 B18 A41 - B35 A44', or a CSV file.")],
    rules: RulesOption = "classic25",
    names: Annotated[str, typer.Option("--names", help="The players' names.")] = "A,B",
) -> None:
    """Settle a real match: print its score sheet (Hollywood under --rules hollywood)."""
    with reported():
        from ginsim.commands import tell
        from ginsim.commands.scoresheet import show

        tell(show(results, rules, names))


@app.command()
def showdown(
    knocker: Annotated[str, typer.Argument(help="The knocker's cards after the discard, or the deadwood as a number.")],
    defender: Annotated[str, typer.Argument(help="The defender's cards, or the deadwood after lay-offs as a number.")],
    rules: RulesOption = "classic25",
    upcard: Annotated[
        str | None, typer.Option("--upcard", help="The first upcard, where it sets the knock limit or spades double.")
    ] = None,
    big_gin: Annotated[bool, typer.Option("--big-gin", help="With two counts: the knocker melds all eleven cards.")] = False,
) -> None:
    """Say who wins when a player knocks and how many points: melds, lay-offs, undercut, gin ('showdown 7 18': two counts)."""
    with reported():
        from ginsim.commands import tell
        from ginsim.commands.showdown import show

        tell(show(knocker, defender, rules, upcard, big_gin))


@app.command()
def plan(
    strategies: Annotated[
        list[str] | None, typer.Argument(metavar="[A B]", help="Two strategies that play a pilot, which measures the luck.")
    ] = None,
    win: Annotated[str | None, typer.Option("--win", help="Share of games that the better player wins, such as 55%.")] = None,
    points: Annotated[
        float | None, typer.Option("--points", **POINTS, help="Instead: points per hand that the better player gains.")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", **whole("games", 2, MANY), help="Instead: a number of games; says what they can show."),
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option("--hands", **whole("hands", 2, MANY), help="Instead: a number of hands; says what they can show."),
    ] = None,
    power: Annotated[str, typer.Option("--power", help="The chance of showing the advantage.")] = "80%",
    sd: Annotated[
        float | None,
        typer.Option(
            "--sd",
            **number("sd", lambda x: 1 <= x <= 1000, "from 1 to 1000"),
            help="Standard deviation of the points of a hand (30, as with bonuses of 25).",
        ),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--from", **path_of("from", "folder"), help="A result of compare, used as the pilot.")
    ] = None,
    rules: Annotated[str | None, typer.Option("--rules", help="Rules of the pilot (classic25).")] = None,
    deals: Annotated[int | None, deals_of("20,000", " in the pilot")] = None,
    pilot_games: Annotated[
        int | None,
        typer.Option("--pilot-games", **whole("games"), help="Duplicate pairs of games in the pilot (a tenth of its deals)."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", **whole("seed"), help="Seed of the pilot (0).")] = None,
    workers: WorkersOption = None,
    form: Annotated[str, typer.Option("--format", help="table, csv or json.")] = "table",
    quiet: QuietOption = False,
) -> None:
    """Say how many games or hands show which of two players is better, what a given number can show, and how much is luck."""
    with reported():
        from ginsim.commands.plan import show

        pilot = {"rules": rules, "deals": deals, "games": pilot_games, "seed": seed, "workers": workers}
        show(strategies or [], folder, pilot, form, quiet, win=win, points=points, games=games, hands=hands, power=power, sd=sd)


exact = typer.Typer(help="Exact odds, by counting instead of dealing.", no_args_is_help=True)
app.add_typer(exact, name="exact")
CardsOption = Annotated[
    int | None, typer.Option("--cards", **whole("cards", 1, 14), help="Cards in a hand (as many as the rules deal).")
]
SeenOption = Annotated[str, typer.Option("--seen", help="Other cards that can no longer come.")]
KnownOption = Annotated[str, typer.Option("--known", help="Cards known to be in the opponent's hand.")]
FormatOption = Annotated[
    str | None, typer.Option("--format", help="table, csv or json (by the ending of the file; otherwise table).")
]
FileOption = Annotated[
    Path | None, typer.Option("--out", **path_of("out", "file"), help="File to write to (deadwood: also .png, .svg or .pdf).")
]


@exact.command("deadwood")
def exact_deadwood(
    cards: CardsOption = None,
    rules: RulesOption = "classic25",
    discard: Annotated[bool, typer.Option("--discard", help="Count what the best discard leaves.")] = False,
    holding: Annotated[str, typer.Option("--holding", help="Only hands with these cards.")] = "",
    without: Annotated[str, typer.Option("--without", help="Only hands without these cards.")] = "",
    form: FormatOption = None,
    out: FileOption = None,
    quiet: QuietOption = False,
) -> None:
    """Count all hands by their least deadwood: gin, no meld, enough to knock."""
    with reported():
        from ginsim.commands.exact import show_deadwood

        show_deadwood(cards, rules, discard, holding, without, form, out, quiet)


@exact.command("melds")
def exact_melds(
    cards: CardsOption = None, rules: RulesOption = "classic25", form: FormatOption = None, out: FileOption = None
) -> None:
    """Show how many melds each card can be in, and how many hands hold a set or a run."""
    with reported():
        from ginsim.commands.exact import show_melds

        show_melds(cards, rules, form, out)


@exact.command("fill")
def exact_fill(
    holding: Annotated[str, typer.Argument(help="The cards to be filled, such as '4H 4S 5H'.")],
    seen: SeenOption = "",
    known: KnownOption = "",
    draws: Annotated[
        str | None, typer.Option("--draws", help="Numbers of cards drawn, such as 1,2,5 (1,2,3,4,5,6,8,10).")
    ] = None,
    rules: RulesOption = "classic25",
    form: FormatOption = None,
    out: FileOption = None,
) -> None:
    """Show the chance that one of the next cards makes a meld with a holding, and that the opponent holds such a card."""
    with reported():
        from ginsim.commands.exact import show_fill

        show_fill(holding, seen, known, draws, rules, form, out)


@exact.command("danger")
def exact_danger(
    hand: Annotated[str, typer.Argument(help="The cards you might discard, and the rest of your hand.")],
    seen: SeenOption = "",
    known: KnownOption = "",
    rules: RulesOption = "classic25",
    form: FormatOption = None,
    out: FileOption = None,
) -> None:
    """Show for each card the chance that the opponent can make a meld with it."""
    with reported():
        from ginsim.commands.exact import show_danger

        show_danger(hand, seen, known, rules, form, out)


@exact.command("outs")
def exact_outs(
    hand: Annotated[str, typer.Argument(help="Your hand before the draw, such as '4S 4H 4D 8C 9C 10C KS KH 2D AC'.")],
    seen: SeenOption = "",
    known: KnownOption = "",
    rules: RulesOption = "classic25",
    form: FormatOption = None,
    out: FileOption = None,
) -> None:
    """Show which cards improve a hand, allow a knock or make gin, and the chance that the next card is one of them."""
    with reported():
        from ginsim.commands.exact import show_outs

        show_outs(hand, seen, known, rules, form, out)


@exact.command("dead")
def exact_dead(
    cards: Annotated[int | None, typer.Option("--cards", **whole("cards", 1, 14), help="Cards in a hand (7 to 11).")] = None,
    rules: RulesOption = "classic25",
    form: FormatOption = None,
    out: FileOption = None,
) -> None:
    """Count the hands with no meld and no two cards that one more card could make a meld."""
    with reported():
        from ginsim.commands.exact import show_dead

        show_dead(cards, rules, form, out)


SMALL = "classic20(ranks=5, suits=2, hand_size=3, knock_limit=5, gin_bonus=5, undercut_bonus=5, stock_end=dead_at_0, max_turns=3)"


@exact.command("response")
def exact_response(
    strategy: Annotated[str, typer.Argument(help="The strategy that is played against.")],
    rules: Annotated[str, typer.Option("--rules", help="The rules of a small gin: few cards and few turns (max_turns).")] = SMALL,
    player: Annotated[str | None, typer.Option("--player", help="Also show what this strategy wins against it.")] = None,
    form: FormatOption = None,
    out: FileOption = None,
    quiet: QuietOption = False,
) -> None:
    """Show what the best response to a strategy wins, in a gin so small that all deals and choices can be gone through."""
    with reported():
        from ginsim.commands.exact import show_response

        show_response(strategy, player, rules, form, out, quiet)


def command_line() -> str:
    """The command as typed, for manifests and messages, without the options that change nothing in what comes out."""
    words, kept = iter(sys.argv[1:]), ["ginsim"]
    for word in words:
        if word in ("--workers", "--dask"):
            next(words, None)
        elif word not in ("-q", "--quiet", "--fresh") and not word.startswith(("--workers=", "--dask=")):
            kept.append(word)
    return shlex.join(kept)


class OutputLostError(Exception):
    """Nobody reads standard output any more, or its device is full."""


PLAIN = dict(zip("♠♥♦♣–−×·²“”", 'SHDC--x.2""', strict=True)) | {"→": "->", "±": "+-", "…": "..."}
"""What stands for a character where the encoding of a terminal lacks it: letters for suits."""


def plain(error: UnicodeError) -> tuple[str, int]:
    """What is written for a character that the encoding of standard output lacks."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(PLAIN.get(c, "?") for c in error.object[error.start : error.end]), error.end


class Output(io.TextIOWrapper):
    """Standard output: what its encoding lacks is written in letters, and its failures are told from those of files."""

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


QUICK = ("eval", "exact", "gallery", "guide", "list", "scoresheet", "showdown")
"""Commands that look at one hand, or at none: compiled code would be loaded for longer than they take without it."""
PLAYS = ("exact", "response")
"""The one among them that plays."""


def only(word: str) -> None:
    """Leave the command that is called alone in the app: Typer looks through the options of all that are there."""
    groups = [group for group in app.registered_groups if group.name == word]
    commands = [command for command in app.registered_commands if (command.name or command.callback.__name__) == word]  # type: ignore[union-attr]
    if groups or commands:
        app.registered_groups, app.registered_commands = groups, commands


def _tell_compiling(seconds: int) -> None:
    """Why nothing happens for a while; once, on standard error."""
    compiling.listeners.clear()
    print(f"compiling once, about {seconds} s; ginsim warm compiles everything ahead of time", file=sys.stderr, flush=True)


def main() -> None:
    """Entry point."""
    if (word := next(iter(sys.argv[1:]), "")) in QUICK and tuple(sys.argv[1:3]) != PLAYS:
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
        gc.disable()  # they end before there is garbage worth looking for
    only(word)
    compiling.listeners.append(_tell_compiling)
    codecs.register_error("plain", plain)
    closed = sys.stdout is None
    for name in ("stdout", "stderr"):
        if stream := getattr(sys, name):
            output = Output(stream.buffer, stream.encoding, "plain", line_buffering=stream.line_buffering)
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
    except OutputLostError as lost:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what Python still wants to write at its end
        code, why = 1, lost.__cause__
        if isinstance(why, OSError) and not isinstance(why, BrokenPipeError):  # whoever stops reading knows
            complain(f"standard output cannot be written: {why.strerror}")
    if closed and not code:
        complain("standard output cannot be written: it is closed")
        code = 1
    raise SystemExit(code)


def complain(message: str) -> None:
    """Say on standard error, if that can be written, what is wrong with standard output."""
    with suppress(OSError, OutputLostError):
        print(f"ginsim: {message}", file=sys.stderr, flush=True)
