"""Entries that a game's own rules contradict: somebody has changed them while no program had the database open."""

from __future__ import annotations

from companion.session.entries import LostEntry
from companion.session.game_names import log_name, told_numbers
from companion.session.log import Log
from companion.session.rejudging import verify
from companion.wording.sentences import Sentence, sentence


def doubtful_entries(log: Log) -> tuple[int, ...]:
    """The entries whose recorded facts are not what the rules make of their action.

    Entries that were changed or undone later are left out. There are none in a game that another version of its rules
    judged, nor in one known to lack entries: there the facts may differ for other reasons.
    """
    lacks_entries = any(isinstance(entry, LostEntry) for entry in log.entries)
    if lacks_entries or log.header.version != log.game.info.version:
        return ()
    counting = {move.number for move in log.point.moves if move.entry.number == move.number}
    found = dict.fromkeys(problem.number for problem in verify(log))
    return tuple(number for number in found if number in counting)


def doubt_notice(log: Log, numbers: tuple[int, ...]) -> Sentence:
    """What the table must know of these entries."""
    return sentence(
        "In {game} what was entered and what came of it do not agree by the rules (entries: {numbers}). Compare the "
        "table, and correct it in the history.",
        game=log_name(log), numbers=told_numbers(numbers),
    )  # fmt: skip
