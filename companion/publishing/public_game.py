"""A game as the broker may know it: its state and the lines of its record, with or without the names of the players."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from companion import engine
from companion.legality import Status
from companion.publishing.messages import HEADER, LONGEST_TEXT, PublishedEntry
from companion.publishing.table_state import MOST_BROKEN, BrokenRule, PublishedPlayer, TableState, VerdictMessage
from companion.publishing.topics import MAXIMUM_PAYLOAD, TopicKind
from companion.session.entries import CorrectionEntry, EndEntry, Entry, LostEntry, OverrideEntry
from companion.session.log import Header, Log
from companion.session.record import entry_document, header_document
from companion.session.viewing import Viewer, ViewerKind, known_to
from companion.table import Player, Table
from companion.wording.texts import game_texts

BROKER = Viewer(ViewerKind.BROKER)
LONGEST_LINE = MAXIMUM_PAYLOAD[TopicKind.ENTRY] - 4096
"""bytes of an entry in its envelope, which has room for its signature besides"""


def without_names(table: Table) -> Table:
    """The table with its players called by their colours."""
    return replace(table, players=tuple(Player(player.colour, player.colour) for player in table.players))


def with_names(table: Table, names: Sequence[str]) -> Table:
    """The table with these names, by seat; who has none there is called by the colour."""
    if len(names) != len(table.players):
        return without_names(table)
    named = zip(table.players, names, strict=True)
    return replace(table, players=tuple(Player(name or player.colour, player.colour) for player, name in named))


def public_state(
    log: Log, *, shows_names: bool, refused: Any | None = None, disputed: bool = False, paused: str = ""
) -> TableState:
    """What everybody at the table sees of a game; `refused` is the action that is refused and not settled."""
    known = known_to(BROKER, log, {})
    game, status, table = known.game, known.record_status, known.header.table
    state = known.state if shows_names else replace(known.state, table=without_names(table))
    texts, decision = game_texts(game.info.id).at(state.table), None if known.is_over else game.decide(state)
    sheet = status.scores(game, state)
    actors = decision.actors if decision is not None else ()
    return TableState(
        game=known.header.id,
        rules=game.info.id,
        title=game.info.title,
        board=table.board.id,
        digest=table.board.digest,
        created=known.header.created,
        entries=len(known.entries),
        players=tuple(
            PublishedPlayer(
                seat, player.colour, player.name if shows_names else "", sheet.won.totals[seat - 1],
                0 if status.ended or seat in status.left else sheet.ranks[seat - 1],
                seat in actors, seat in status.left,
            )
            for seat, player in enumerate(table.players, 1)
        ),
        step=decision.step if decision is not None else "over",
        prompt=_bounded(texts.prompts["over"] if decision is None else texts.prompt(game, state)),
        pieces=dict(sorted(game.appearance(state).items())),
        over=known.is_over,
        final=sheet.final,
        disputed=disputed or refused is not None,
        paused=_bounded(paused),
        verdict=None if refused is None else _verdict(known, state, refused),
    )  # fmt: skip


def public_header(header: Header, *, shows_names: bool) -> PublishedEntry:
    """The first line of a game's record, as its entry 0."""
    shown = header if shows_names else replace(header, table=without_names(header.table))
    return PublishedEntry(header.id, HEADER, header_document(shown, 0))


def public_entry(log: Log, number: int, *, shows_names: bool) -> PublishedEntry:
    """An entry of a game, or its header for number 0. One that no message can hold is published as lost."""
    known = known_to(BROKER, log, {})
    if number == HEADER:
        return public_header(known.header, shows_names=shows_names)
    entry = known.entries[number - 1]
    shown = entry if shows_names else without_reason(entry)
    published = PublishedEntry(known.header.id, number, entry_document(shown))
    size = len(json.dumps(json.dumps(published.document(), ensure_ascii=False), ensure_ascii=False).encode())
    if size > LONGEST_LINE:
        reason = f"has {size} bytes, more than is published"
        lost = LostEntry(number=entry.number, time=entry.time, seat=entry.seat, reason=reason)
        return PublishedEntry(known.header.id, number, entry_document(lost))
    return published


def public_entries(log: Log, after: int, *, shows_names: bool) -> Iterator[PublishedEntry]:
    """The lines of a game's record that follow number `after`; -1 for all of them."""
    for number in range(after + 1, len(log.entries) + 1):
        yield public_entry(log, number, shows_names=shows_names)


def without_reason(entry: Entry) -> Entry:
    """An entry without what people wrote themselves."""
    if isinstance(entry, OverrideEntry):
        return replace(entry, reason="", by="table")
    return replace(entry, reason="") if isinstance(entry, CorrectionEntry | EndEntry) else entry


def _verdict(log: Log, state: Any, action: Any) -> VerdictMessage:
    game = log.game
    texts, verdict = game_texts(game.info.id).at(state.table), engine.explain(game, state, action)
    broken = verdict.violations if verdict.status is Status.ILLEGAL else ()
    return VerdictMessage(
        action.text,
        _bounded(texts.action(action)),
        tuple(
            BrokenRule(
                each.rule,
                _bounded(texts.refusal(game.rulebook, each)),
                _bounded(game.rulebook.rules[each.rule].source),
            )
            for each in broken[:MOST_BROKEN]
        ),
    )


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
