"""The state of a table as it is published: what its screen shows to everybody, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.files.documents import DocumentTable
from companion.position import LONGEST_NAME
from companion.publishing.messages import LONGEST_TEXT, MOST_SEATS, game_id, plain_text
from companion.session.log import MAXIMUM_ENTRIES

MOST_PIECES = 2000
MOST_BROKEN = 20


@dataclass(frozen=True, slots=True)
class PublishedPlayer:
    """A seat: its colour, the name "" where it is not to be shown, points and rank (from 1; 0 for who left).

    `acts` says that the table waits for it.
    """

    seat: int
    colour: str
    name: str = ""
    points: int = 0
    rank: int = 0
    acts: bool = False
    left: bool = False

    def document(self) -> dict[str, Any]:
        """As plain values; a name that is not shown is left out."""
        named = {"name": self.name} if self.name else {}
        return {
            "seat": self.seat, "colour": self.colour, **named, "points": self.points, "rank": self.rank,
            "acts": self.acts, "left": self.left,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A rule that the disputed action breaks, in words, with its source."""

    rule: str
    sentence: str
    source: str = ""

    def document(self) -> dict[str, Any]:
        """As plain values."""
        return {"rule": self.rule, "sentence": self.sentence, "source": self.source}


@dataclass(frozen=True, slots=True)
class VerdictMessage:
    """The refusal that a table has not settled: the action in notation ("" where only the board differs), in words, and
    the rules that forbid it.
    """

    action: str
    words: str
    broken: tuple[BrokenRule, ...] = ()

    def document(self) -> dict[str, Any]:
        """As plain values."""
        return {"action": self.action, "words": self.words, "broken": [each.document() for each in self.broken]}


@dataclass(frozen=True, slots=True)
class TableState:
    """What a table shows to everybody. Without a game that is open (`game` is "") only the first fields mean anything.

    `game` is the id of its record, `rules` that of the game that is played, `board` and `digest` the edition. `entries`
    counts those of the record. `prompt` is an English sentence, `step` the game's word for what it says. `pieces` maps
    spots of the board to labels. `final` is false where the game was ended early, though it is `over`. `paused` is a
    word for why the camera does not follow, "" where it does or there is none; `moment` is the table's own clock.
    """

    help: bool = False
    moment: str = ""
    game: str = ""
    rules: str = ""
    title: str = ""
    board: str = ""
    digest: str = ""
    created: str = ""
    entries: int = 0
    players: tuple[PublishedPlayer, ...] = ()
    step: str = ""
    prompt: str = ""
    pieces: Mapping[str, str] = field(default_factory=dict)
    over: bool = False
    final: bool = False
    disputed: bool = False
    paused: str = ""
    verdict: VerdictMessage | None = None

    def document(self) -> dict[str, Any]:
        """As plain values."""
        about = {"help": self.help, "time": self.moment, "game": self.game}
        if not self.game:
            return about
        return about | {
            "rules": self.rules, "title": self.title, "board": self.board, "digest": self.digest,
            "created": self.created, "entries": self.entries, "players": [each.document() for each in self.players],
            "step": self.step, "prompt": self.prompt, "pieces": dict(self.pieces), "over": self.over,
            "final": self.final, "disputed": self.disputed, "paused": self.paused,
            "verdict": None if self.verdict is None else self.verdict.document(),
        }  # fmt: skip


def read_state(document: DocumentTable) -> TableState:
    """The state that a table has published.

    Raises InvalidDocument.
    """
    help_asked, moment = document.flag("help", default=False), document.text("time", "", longest=40)
    if not document.text("game", "", longest=64):
        return TableState(help_asked, moment)
    return TableState(
        help=help_asked,
        moment=moment,
        game=game_id(document, "game"),
        rules=plain_text(document, "rules", LONGEST_NAME, None),
        title=plain_text(document, "title", LONGEST_NAME),
        board=plain_text(document, "board", 200),
        digest=document.text("digest", "", longest=64),
        created=document.text("created", "", longest=40),
        entries=document.integer("entries", 0, MAXIMUM_ENTRIES, 0),
        players=tuple(_player(each) for each in document.tables("players", longest=MOST_SEATS)),
        step=plain_text(document, "step", LONGEST_NAME),
        prompt=plain_text(document, "prompt", LONGEST_TEXT),
        pieces=_pieces(document.table("pieces", optional=True)),
        over=document.flag("over", default=False),
        final=document.flag("final", default=False),
        disputed=document.flag("disputed", default=False),
        paused=plain_text(document, "paused", LONGEST_TEXT),
        verdict=_verdict(document.table("verdict")) if document.values.get("verdict") is not None else None,
    )


def _player(document: DocumentTable) -> PublishedPlayer:
    return PublishedPlayer(
        document.integer("seat", 1, MOST_SEATS),
        plain_text(document, "colour", 40, None),
        plain_text(document, "name", LONGEST_NAME),
        document.integer("points", -100_000, 100_000, 0),
        document.integer("rank", 0, MOST_SEATS, 0),
        document.flag("acts", default=False),
        document.flag("left", default=False),
    )


def _pieces(document: DocumentTable) -> dict[str, str]:
    if len(document.values) > MOST_PIECES:
        raise document.invalid("", f"has {len(document.values)} spots; {MOST_PIECES} are allowed")
    for spot in document:
        if len(spot) > 100:
            raise document.invalid(spot[:40], "is longer than 100 characters")
    return {spot: plain_text(document, spot, 100) for spot in document}


def _verdict(document: DocumentTable) -> VerdictMessage:
    broken = document.tables("broken", optional=True, longest=MOST_BROKEN)
    return VerdictMessage(
        plain_text(document, "action", 200),
        plain_text(document, "words", LONGEST_TEXT),
        tuple(
            BrokenRule(
                plain_text(each, "rule", 40),
                plain_text(each, "sentence", 1000),
                plain_text(each, "source", LONGEST_TEXT),
            )
            for each in broken
        ),
    )
