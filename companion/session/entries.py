"""The entries of a game's log: what was done, undone or put right at the table. They are only ever appended.

An entry keeps the action as it was written and the facts that came of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from companion.events import Event


class EntryKind(StrEnum):
    """What an entry does."""

    ACTION = "action"
    OVERRIDE = "override"
    CORRECTION = "correction"
    AMEND = "amend"
    INSERT = "insert"
    REMOVE = "remove"
    UNDO = "undo"
    REDO = "redo"
    LEAVE = "leave"
    RETURN = "return"
    END = "end"
    DETAIL = "detail"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the log. `number` counts from 1, `time` is UTC (ISO 8601), `seat` whose action it is, if anyone's.

    `action` is the notation of the action it records, None where it records none; `events` are the facts that follow
    from it, `rules` those it breaks, `source` what reported it ("" where that is not kept).
    """

    kind: ClassVar[EntryKind]
    number: int
    time: str
    seat: int | None = None
    action: str | None = None
    events: tuple[Event, ...] = ()
    rules: tuple[str, ...] = ()
    source: str = ""

    @property
    def summary(self) -> str:
        """The entry in a few words, with actions in the game's notation."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionEntry(Entry):
    """A legal action; `unchecked` are rules that hang on what the table does not show. `source` is what reported it.

    `order_seen` is False where it was seen together with the entries next to it, so that it may as well have come
    before or after them.
    """

    kind: ClassVar[EntryKind] = EntryKind.ACTION
    action: str
    source: str = "touch"
    unchecked: tuple[str, ...] = ()
    events: tuple[Event, ...]
    order_seen: bool = True

    @property
    def summary(self) -> str:
        """The action."""
        return self.action


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideEntry(Entry):
    """An action that breaks `rules` and was recorded all the same, because `by` said so."""

    kind: ClassVar[EntryKind] = EntryKind.OVERRIDE
    action: str
    rules: tuple[str, ...]
    reason: str
    by: str
    events: tuple[Event, ...]

    @property
    def summary(self) -> str:
        """The action and the rules it breaks."""
        return f"{self.action} (against {', '.join(self.rules)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionEntry(Entry):
    """Entries of the position document that are otherwise than recorded, as a JSON merge patch (RFC 7396)."""

    kind: ClassVar[EntryKind] = EntryKind.CORRECTION
    changes: Mapping[str, Any]
    reason: str

    @property
    def summary(self) -> str:
        """What was corrected and why."""
        return f"correction of {', '.join(self.changes)}" + (f" ({self.reason})" if self.reason else "")


@dataclass(frozen=True, slots=True)
class Rejudged:
    """What becomes of an entry after an amended one.

    `rules` are those it breaks now, `events` what came of it now; None where it cannot have happened any more.
    """

    number: int
    events: tuple[Event, ...] | None
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetEntry(Entry):
    """What changes an earlier entry, `target`."""

    target: int

    @property
    def summary(self) -> str:
        """What this entry does to which other one."""
        return f"{self.kind} of entry {self.target}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RewritingEntry(TargetEntry):
    """What happened at entry `target` was otherwise; `later` says what that makes of each entry after it."""

    does: ClassVar[str]
    unchecked: tuple[str, ...] = ()
    later: tuple[Rejudged, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterActionEntry(RewritingEntry):
    """An action that was recorded only after later ones: it was done at entry `target` or before it."""

    action: str
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendEntry(LaterActionEntry):
    """The action of entry `target` was another one."""

    kind: ClassVar[EntryKind] = EntryKind.AMEND
    does: ClassVar[str] = "amends"

    @property
    def summary(self) -> str:
        """Which entry was amended to what."""
        return f"entry {self.target} is {self.action}"


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertEntry(LaterActionEntry):
    """Before entry `target` an action was done that had not been recorded."""

    kind: ClassVar[EntryKind] = EntryKind.INSERT
    does: ClassVar[str] = "inserts an action before"

    @property
    def summary(self) -> str:
        """What was missing, and where."""
        return f"{self.action} before entry {self.target}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveEntry(RewritingEntry):
    """The action of entry `target` was never done."""

    kind: ClassVar[EntryKind] = EntryKind.REMOVE
    does: ClassVar[str] = "takes out"

    @property
    def summary(self) -> str:
        """Which entry was taken out."""
        return f"entry {self.target} taken out"


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoEntry(TargetEntry):
    """The latest change, that of entry `target`, is undone."""

    kind: ClassVar[EntryKind] = EntryKind.UNDO


@dataclass(frozen=True, slots=True, kw_only=True)
class RedoEntry(TargetEntry):
    """A change that was undone, that of entry `target`, counts again."""

    kind: ClassVar[EntryKind] = EntryKind.REDO


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendanceEntry(Entry):
    """The player of `seat` is there no more, or again."""

    leaves: ClassVar[bool]

    @property
    def summary(self) -> str:
        """Whose seat is left or taken again."""
        return f"seat {self.seat} {'leaves' if self.leaves else 'is back'}"

    def among(self, left: frozenset[int]) -> frozenset[int]:
        """The seats that have left after it, of those that had before."""
        seats = frozenset() if self.seat is None else frozenset({self.seat})
        return left | seats if self.leaves else left - seats


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveEntry(AttendanceEntry):
    """The player of `seat` leaves and the others go on; `events` are the turns that pass at once for that."""

    kind: ClassVar[EntryKind] = EntryKind.LEAVE
    leaves: ClassVar[bool] = True
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnEntry(AttendanceEntry):
    """The player of `seat`, who had left, is back: the turns of that seat are played again from now on."""

    kind: ClassVar[EntryKind] = EntryKind.RETURN
    leaves: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EndEntry(Entry):
    """The table stops here and counts."""

    kind: ClassVar[EntryKind] = EntryKind.END
    reason: str

    @property
    def summary(self) -> str:
        """That the game was ended, and why."""
        return "ended early" + (f" ({self.reason})" if self.reason else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailEntry(Entry):
    """From now on the table tells as much of the game as `level` says; `events` are the facts that follow at once."""

    kind: ClassVar[EntryKind] = EntryKind.DETAIL
    level: str
    events: tuple[Event, ...] = ()

    @property
    def summary(self) -> str:
        """How much is told from now on."""
        return f"told from now on: {self.level}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LostEntry(Entry):
    """Stands for an entry that a damaged database no longer holds; `reason` says what was wrong. It changes nothing."""

    kind: ClassVar[EntryKind] = EntryKind.LOST
    reason: str

    @property
    def summary(self) -> str:
        """That the entry is missing, and why."""
        return f"lost ({self.reason})"
