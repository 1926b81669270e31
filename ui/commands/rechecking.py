"""The camera's evidence: `recheck` reads the stored cut-outs of a record again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from companion.board.layout import EMPTY, Board
from companion.errors import StoreError
from companion.session.cutouts import CutOuts, cut_outs_beside
from companion.session.entries import Entry
from companion.session.log import Log, begin
from ui.commands.progress import progress
from ui.commands.terminal import DOES_NOT_HOLD, FAILED, FINE, complain, emit_json, file_name, parser, say
from ui.hardware.taught_profiles import PROFILES
from ui.services.files import read_log
from ui.services.folders import data_folder

if TYPE_CHECKING:
    from vision.cutouts import CutOut
    from vision.printed.reading import BoardReader
    from vision.spots.spot_reader import SpotReader

SURE = 0.5
CAMERA = "camera"
"""the source of entries that a camera proposed"""


@dataclass(frozen=True, slots=True)
class Rechecked:
    """An entry from the camera, with the spots now read differently from the record and the spots read without
    certainty.
    """

    number: int
    action: str
    spots: int
    differing: Mapping[str, tuple[str, str]]
    """spot -> what the record holds, what is read"""
    unsure: tuple[str, ...]


def recheck(words: Sequence[str]) -> int:
    """`companion recheck RECORD`: exit code 1 where a cut-out shows something else than the record, 3 where one of them
    cannot be read; the others are read all the same.
    """
    options = parser("recheck", "Read again what the camera saw of each action that it told.")
    options.add_argument("record", type=file_name, metavar="RECORD", help="a record file; its cut-outs lie beside it")
    options.add_argument(
        "--profile",
        type=file_name,
        metavar="P",
        help="taught pieces; else those that it was played with",
    )
    options.add_argument("--json", action="store_true", help="print a JSON document")
    chosen = options.parse_args(words)
    log = read_log(str(chosen.record))
    cut_outs = cut_outs_beside(chosen.record)
    if not any(True for _ in cut_outs.numbers()):
        complain(
            f"{cut_outs.folder}: there are no cut-outs; the camera told nothing in this game, or they were removed"
        )
        return FAILED
    from vision.errors import VisionError

    folders = (chosen.record.parent, data_folder() / PROFILES)
    damages: list[str] = []
    try:
        found = []
        with progress("replaying") as report:
            for entry in rechecked(log, cut_outs, damages.append, chosen.profile, folders):
                found.append(entry)
                report(f"entry {entry.number} of {len(log.entries)} read again")
    except VisionError as error:
        complain(str(error))
        return FAILED
    wrong = [entry for entry in found if entry.differing]
    missing = missing_cut_outs(log, cut_outs)
    if chosen.json:
        emit_json(
            {"game": log.game.info.id, "entries": [_document(entry) for entry in found], "missing": list(missing)}
        )
    else:
        for line in _lines(found):
            say(line)
        if missing:
            entries = ", ".join(map(str, missing))
            say(f"not read again, their cut-outs are gone or were never written: {len(missing)} (entries {entries})")
    for damage in damages:
        complain(damage)
    if damages:
        return FAILED
    return DOES_NOT_HOLD if wrong else FINE


def rechecked(
    log: Log,
    cut_outs: CutOuts,
    damaged: Callable[[str], None],
    profile: Path | None = None,
    folders: Sequence[Path] = (),
) -> Iterator[Rechecked]:
    """Read every entry's cut-out again; `damaged` is called with each cut-out that is skipped and the reason.

    `profile` is the board's; without it the one that a cut-out names is looked for in these folders, then the shipped
    one is taken. Raises VisionError for a profile that cannot be used.
    """
    from vision.cutouts import read_again
    from vision.errors import InvalidPicture

    board = log.header.table.board
    sheets = {sheet.id: sheet for sheet in board.sheets}
    readers: dict[Path, BoardReader | SpotReader] = {}
    looks = _looks(log)
    for number in cut_outs.numbers():
        source = f"cut-out of entry {number}"
        try:
            data = cut_outs.read(number) if 0 < number <= len(log.entries) else None
            if data is None:
                continue
            cut = _cut_out(data, source, sheets)
        except (InvalidPicture, StoreError) as error:
            damaged(str(error))
            continue
        sheet = sheets[cut.board]
        file = _profile_file(cut, sheet, profile if sheet is board else None, folders)
        if file not in readers:
            readers[file] = _reader(file, sheet)
        shown = read_again(cut, sheet, readers[file], source)
        yield _compared(log.entries[number - 1], shown, _possible_looks(log, looks, number))


def _cut_out(data: bytes, source: str, sheets: Mapping[str, Board]) -> CutOut:
    """The cut-out, which must be of one of these sheets. Raises InvalidPicture."""
    from vision.cutouts import decoded, shows_its_spots
    from vision.errors import InvalidPicture

    cut = decoded(data, source)
    if cut.board not in sheets:
        raise InvalidPicture(source, f"is of {cut.board!r}, which no board of this game is called")
    if not shows_its_spots(cut, sheets[cut.board]):
        raise InvalidPicture(source, "its pictures cannot be of the spots that it names")
    return cut


def _profile_file(cut: CutOut, sheet: Board, profile: Path | None, folders: Sequence[Path]) -> Path:
    """The profile to read a cut-out by: the one that is given, else the one that it names, else the shipped one."""
    from vision.printed.pieces.profile import shipped_profile

    named = (folder / cut.profile for folder in folders if cut.profile)
    return profile or next(filter(Path.is_file, named), None) or shipped_profile(sheet)


def _reader(file: Path, sheet: Board) -> BoardReader | SpotReader:
    from vision.printed.reading import BoardReader
    from vision.spots.spot_profile import SpotProfile
    from vision.spots.spot_reader import SpotReader
    from vision.taught import load_taught

    taught = load_taught(file, sheet)
    return SpotReader(sheet, taught) if isinstance(taught, SpotProfile) else BoardReader(sheet, taught)


def _possible_looks(log: Log, looks: Sequence[Mapping[str, str]], number: int) -> Sequence[Mapping[str, str]]:
    """The look of the board after an entry, and after those that the camera may have proposed at the same moment."""
    following = takewhile(lambda entry: entry.source == CAMERA, log.entries[number:])
    return [looks[number], *(looks[entry.number] for entry in following)]


def _compared(
    entry: Entry, shown: Mapping[str, Mapping[str, float]], possible: Sequence[Mapping[str, str]]
) -> Rechecked:
    """Read an entry's cut-out and compare it with the looks that it may show, the entry's own first."""
    differing, unsure = {}, []
    for spot, shares in shown.items():
        label = max(shares, key=shares.__getitem__)
        if shares[label] < SURE:
            unsure.append(spot)
        elif all(label != look.get(spot, EMPTY) for look in possible):
            differing[spot] = (possible[0].get(spot, EMPTY), label)
    return Rechecked(entry.number, entry.action or "", len(shown), differing, tuple(unsure))


def missing_cut_outs(log: Log, cut_outs: CutOuts) -> tuple[int, ...]:
    """The camera's entries that changed the board but have no cut-out, or no longer have it."""
    there, looks = frozenset(cut_outs.numbers()), _looks(log)
    return tuple(
        entry.number
        for entry, before, after in zip(log.entries, looks, looks[1:], strict=False)
        if entry.source == CAMERA and before != after and entry.number not in there
    )


def _looks(log: Log) -> list[Mapping[str, str]]:
    """The look of the board after each entry, the set-up first."""
    replay = begin(log.header)
    looks = [log.game.appearance(replay.state)]
    for entry in log.entries:
        replay = replay.append(entry)
        looks.append(log.game.appearance(replay.state))
    return looks


def _document(entry: Rechecked) -> dict[str, object]:
    return {
        "number": entry.number,
        "action": entry.action,
        "spots": entry.spots,
        "differing": [
            {"spot": spot, "recorded": recorded, "read": read} for spot, (recorded, read) in entry.differing.items()
        ],
        "unsure": list(entry.unsure),
    }


def _lines(found: Sequence[Rechecked]) -> Iterator[str]:
    for entry in found:
        for spot, (recorded, read) in entry.differing.items():
            shown, held = read or "nothing", recorded or "nothing"
            yield f"entry {entry.number}, {entry.action}: {spot} shows {shown}, recorded is {held}"
        for spot in entry.unsure:
            yield f"entry {entry.number}, {entry.action}: {spot} cannot be told for sure"
    spots, wrong = sum(entry.spots for entry in found), sum(len(entry.differing) for entry in found)
    yield f"{len(found)} cut-outs, {spots} spots read again, {wrong} of them otherwise than recorded"
