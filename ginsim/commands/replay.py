"""``ginsim replay``: one hand turn by turn, in words, as JSON, as a record or as a picture."""

from __future__ import annotations

import json
from pathlib import Path

from ginsim.commands import check_format, tell
from ginsim.errors import InputError, shown
from ginsim.files import write_whole
from ginsim.games.catalog import game_of
from ginsim.games.gin.recorded.replayed import of_replay
from ginsim.games.gin.replay import Replay
from ginsim.study.hand import replay_seats

FORMATS = ("text", "json", "record")
PICTURES = ("png", "svg", "pdf")


def show(strategies: list[str], deal: int, seed: int, rules: str, play: int, form: str, picture: Path | None) -> None:
    """Print the hand; draw it into a file if there is one."""
    check_format(form, FORMATS)
    ending = "" if picture is None else picture.suffix.lower().removeprefix(".")
    if picture is not None and ending not in PICTURES:
        raise InputError(f"picture: {shown(str(picture), 200)} is not allowed; its name ends in .{', .'.join(PICTURES)}")
    if picture is not None:
        game_of(rules).has("pictures", rules, "of whose hands there are no pictures; leave --picture out")
    hand = replay_seats(strategies, deal, seed, rules, play)
    if form == "record" and not isinstance(hand, Replay):
        raise InputError(f"format: there is no notation for hands of {game_of(rules).title} ({rules}); give text or json")
    if form == "json":
        tell(json.dumps(hand.as_dict(), indent=1, ensure_ascii=False))
    else:
        tell(str(hand if form == "text" else of_replay(hand)))
    if picture is not None:
        from ginsim.report.plots import cards, figure_bytes

        write_whole(picture, figure_bytes(cards(hand), ending))
        tell(f"written: {picture}", err=True)
