"""Exactly what a screen shows, as frozen values without Kivy. Texts are ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum


class PieceState(StrEnum):
    """How a drawn piece relates to the record and to what the camera sees."""

    PLACED = "placed"
    LATEST = "latest"
    """placed by the latest entry"""
    OWED = "owed"
    """in the record, not yet on the table"""
    GONE = "gone"
    """still on the table, no longer in the record"""
    GHOST = "ghost"
    """would lie there by the choice that is looked at"""
    PROPOSED = "proposed"
    """seen by the camera, not yet in the record"""
    WRONG = "wrong"
    """seen by the camera where the record has something else and no legal action explains it"""
    CORRECTED = "corrected"
    """laid by the entry that is being corrected, or taken away by it"""
    DOUBTFUL = "doubtful"
    """read now as one thing, now as another; the label is what the record says, "" for nothing"""


UNCHECKED = "~"
"""the sign of an action that could not be checked"""


class VerdictKind(StrEnum):
    """What the verdict panel is about."""

    ACCEPTED = "accepted"
    GHOST = "ghost"
    """would lie there by the choice that is looked at"""
    PROPOSED = "proposed"
    REFUSED = "refused"
    NOT_CHECKABLE = "not checkable"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class PieceView:
    """A piece to be drawn on its spot; `label` is the board definition's."""

    spot: str
    label: str
    state: PieceState


@dataclass(frozen=True, slots=True)
class PlaceView:
    """One of several places on the board, with its number and outline (mm)."""

    number: int
    outline: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class ChipView:
    """Something held: how many of it, by the face of a component, or in words where it has none.

    `kind` is what is counted, in the game's own word; `numbers` are what the pieces bear, told in place of the count.
    `added` are those more that are kept apart for now, such as what was drawn in this turn; None where none ever are.
    `short` are the words without the name of the holding, where they tell enough by themselves. Of a building the face
    is that of a storey: so many `storeys` stand on one another, with the component `top` on them.
    """

    words: str
    component: str = ""
    kind: str = ""
    count: int | None = None
    numbers: str = ""
    short: str = ""
    storeys: int = 0
    top: str = ""
    told: tuple[tuple[str, str], ...] = ()
    """of several kinds in words, each with its number"""
    added: int | None = None

    @property
    def is_none(self) -> bool:
        """Whether there is none of it, so that it only keeps its place."""
        return self.count == 0 and not self.added

    @property
    def figure(self) -> str:
        """What stands beside its face; nothing beside a single building, whose height it might be taken for."""
        if self.storeys:
            return str(self.count) if (self.count or 0) > 1 else ""
        return self.numbers or ("" if self.count is None else str(self.count))

    @property
    def printed(self) -> str:
        """The label of its face, as far as the kind says it."""
        return str(self.storeys) if self.storeys else self.kind


@dataclass(frozen=True, slots=True)
class CardRow:
    """Cards that lie in a row to be seen: what they are, each face with the name below, and what is told beside."""

    name: str
    cards: tuple[ChipView, ...]
    names: tuple[str, ...]
    beside: tuple[ChipView, ...] = ()


@dataclass(frozen=True, slots=True)
class PathView:
    """A path on the board: its sites in order, and the colour of the player who lays it."""

    sites: tuple[str, ...]
    colour: str


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player's panel. `holdings` are label and value pairs of what lies before them, `chips` is that to look at."""

    seat: int
    name: str
    colour: str
    points: int
    acts: bool
    holdings: tuple[tuple[str, str], ...] = ()
    has_left: bool = False
    chips: tuple[ChipView, ...] = ()
    has_passed: bool = False


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry of the log as it stands now; `undone` entries are shown struck through.

    `note` says what a later entry has changed of it.
    """

    number: int
    seat: int
    text: str
    kind: str
    undone: bool = False
    note: str = ""
    is_correctable: bool = False
    """whether it may be said that it was another action"""
    is_unchecked: bool = False
    """whether some rule could not be checked, as it hangs on what the table does not show"""

    @property
    def told(self) -> str:
        """The text with the note behind it, and the sign of what could not be checked."""
        return f"{self.signed} ({self.note})" if self.note else self.signed

    @property
    def signed(self) -> str:
        """The text, and the sign of what could not be checked."""
        return f"{self.text} {UNCHECKED}" if self.is_unchecked else self.text


@dataclass(frozen=True, slots=True)
class SourceView:
    """Where a rule stands: `where` with all that confirms it and what the table decides, `title` for who only plays."""

    rule: str
    where: str
    title: str

    def __str__(self) -> str:
        """In full, with the rule's id in front."""
        return f"{self.rule}: {self.where}"


Reason = tuple[str, SourceView | None]
"""a sentence and its source, None where no rule says it"""


@dataclass(frozen=True, slots=True)
class VerdictView:
    """The verdict panel: a headline, and for a refusal the rules' sentences with their sources."""

    kind: VerdictKind
    headline: str
    sentences: tuple[Reason, ...] = ()
    spots: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    brief: str = ""
    """the headline of a refusal where its rules say the rest"""
    is_known: bool = False
    """whether its sentences were told before in this game, of another action"""
    barred: str = ""
    """the place that was touched, at which nothing is allowed; "" for any other verdict"""
    nearest: str = ""
    """the place nearest to it where the same is allowed"""
    behind: tuple[str, ...] = ()
    """the sites of what its further sentences say, which are marked once these are told, too"""
    entry: int = 0
    """the number of the recorded entry that it judges, the last of several; 0 for any other verdict"""

    @property
    def told_whole(self) -> VerdictView:
        """The same with marks at the sites of all its sentences."""
        return replace(self, sites=tuple(dict.fromkeys((*self.sites, *self.behind))), behind=())

    @property
    def looks(self) -> VerdictKind:
        """As what it looks: a place at which nothing is allowed looks refused, though nobody has done anything."""
        return VerdictKind.REFUSED if self.barred else self.kind

    @property
    def sparing(self) -> VerdictView:
        """The same without sentences that were told before."""
        return replace(self, sentences=()) if self.is_known else self

    @property
    def differs(self) -> bool:
        """Whether it says where table and record differ, and no rule why one of them cannot be."""
        return self.kind is VerdictKind.REFUSED and bool(self.spots) and not self.sentences


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """A thing to choose by touch: a legal action, or what to do about a refusal. `key` is handed back when chosen.

    `faces` are the printed components that stand for it, `ghost` the pieces that it would bring onto the board.
    """

    key: str
    text: str
    group: str = ""
    sites: tuple[str, ...] = ()
    is_meant: bool = False
    """whether it is one of several that a touched place speaks of"""
    forbidden: bool = False
    """whether a rule forbids it: chosen, it is said which"""
    faces: tuple[ChipView, ...] = ()
    ghost: tuple[PieceView, ...] = ()
    kind: str = ""
    """what is done by it, without saying where or with what"""
    brief: str = ""
    """what is enough below its faces, among others of its group"""
    is_beside: bool = False
    """whether it is none of the others' kind: it lies beside them where they fill the shelf"""
    is_last: bool = False
    """whether its player usually does nothing but end the turn after it"""
    can_end: bool = False
    """whether its player may end the turn after it"""
    sort: str = ""
    """those of one sort stand together"""
    looks: tuple[PieceView, ...] = ()
    """the pieces that it would lay, where they do not lie on the board as a ghost"""
    confirms: str = ""
    """the words of the primary button by which alone it is chosen; "" where a touch of its card chooses it"""
    waits: bool = False
    """whether it lies on the board as a ghost only once its card was touched"""
    swatch: str = ""
    """where its lowest piece is one of several colours, what stands below it: how many its player has, or the colour"""
    other: str = ""
    """what lies on that piece, by its name"""
    laid_before: int = 0
    """how often its player has laid that colour"""
    is_usual: bool = False
    """whether as much lies on that piece as its player laid there last"""
    card: str = ""
    """the card that it plays, by its word, where the faces of cards have places of their own"""


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """A place where table and record differ, with its number: what is seen and what is recorded, as labels ("" for
    nothing), and the keys of the choices that the one or the other is right.
    """

    number: int
    spot: str
    seen: str
    recorded: str
    table: str
    record: str


@dataclass(frozen=True, slots=True)
class MoveView:
    """One of the latest moves to look at: what was laid or taken, the points it brought, the number of its entry."""

    number: int
    seat: int
    text: str
    faces: tuple[ChipView, ...] = ()
    pieces: tuple[PieceView, ...] = ()
    points: int = 0
    is_unchecked: bool = False
    """whether some rule could not be checked, as it hangs on what the table does not show"""


@dataclass(frozen=True, slots=True)
class ButtonView:
    """One of the four big buttons, the same as on a box."""

    intent: str
    text: str
    enabled: bool = True
    strong: bool = False
    """whether it is what the table usually does next, and loses nothing by"""
    needed: bool = True
    """whether it does something now that nothing else on the screen does"""
    does: str = ""
    """the key of the choice that it stands for, if it does the same as one"""
    said: str = ""
    """what it does, without the name that it has on a box"""
    offered: str = ""
    """the key of the choice that it takes because the table's screen offers it"""
    records: bool = False
    """whether it records what is proposed or suggested"""


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A camera or a box at a glance."""

    name: str
    state: str
    ok: bool


@dataclass(frozen=True, slots=True)
class ScoreLineView:
    """One line of the score sheet with the pieces behind it."""

    seat: int
    title: str
    detail: str
    points: int
    sites: tuple[str, ...] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The score sheet. `ranking` names the players in order with points and rank, 0 for who left,
    where the game was ended early and while all are level; `notes` explain it.

    `final` where the game is over, `decided` where it was played to its end, so that somebody has won.
    """

    heading: str
    ranking: tuple[tuple[int, str, int, int], ...]
    """(seat, name, points, rank)"""
    lines: tuple[ScoreLineView, ...]
    notes: tuple[str, ...] = ()
    final: bool = False
    decided: bool = False
    result: str = ""
    """who has won, in words; empty where nobody has"""
    left: frozenset[int] = frozenset()
    """the seats of those who left"""


@dataclass(frozen=True, slots=True)
class PlayView:
    """The play screen."""

    title: str
    prompt: str
    eyes: str
    players: tuple[PlayerView, ...]
    pieces: tuple[PieceView, ...]
    log: tuple[LogLine, ...]
    buttons: tuple[ButtonView, ...]
    choices: tuple[ChoiceView, ...] = ()
    open_supply: tuple[tuple[str, str], ...] = ()
    """label and value pairs of what lies openly before everybody"""
    verdict: VerdictView | None = None
    undo: str = ""
    redo: str = ""
    correctable: bool = False
    """whether there is an action that can be corrected"""
    devices: tuple[DeviceView, ...] = ()
    score: ScoreView | None = None
    legal_sites: frozenset[str] = field(default_factory=frozenset)
    touched: str = ""
    """the place that was touched, at which something is allowed"""
    barred: str = ""
    """the place that was touched, at which nothing is allowed"""
    state: int | None = None
    """the number of the record's entries that it shows (`Session.state_id`); a touch of it is meant for these"""
    is_watched: bool = False
    """whether a camera sees the board"""
    what: str = ""
    """what is waited for, as briefly as it can be said beside the name of who acts"""
    moves: tuple[MoveView, ...] = ()
    """the latest, the newest first"""
    undone: str = ""
    """what undoing takes back, without who did it"""
    redone: str = ""
    """what doing again lets count again, without who did it"""
    played: tuple[ChoiceView, ...] = ()
    """the cards whose faces always lie in the tray while one of them can be played, by word and name"""
    on_board: tuple[ChoiceView, ...] = ()
    """what may be done by touching the board, one for each kind with all its sites"""
    is_hint: bool = False
    """whether the sites to touch are marked without anybody having asked for them"""
    supply: tuple[ChipView, ...] = ()
    """what lies openly before everybody, to look at"""
    series: str = ""
    """the key of what of `on_board` is done at each site that is touched; "" where a touch only asks"""
    rows: tuple[CardRow, ...] = ()
    """cards that lie openly, and those of who acts"""
    supply_beside_rows: tuple[ChipView, ...] = ()
    """what of `supply` is not in a row"""
    differences: tuple[DifferenceView, ...] = ()
    """where table and record differ, as far as it is asked about"""
    path: PathView | None = None
    """the path on the board that is being laid"""
    asked_seat: int = 0
    """the seat whose entry is asked about; 0 for none"""
    corrected: int = 0
    """the number of the entry that is being corrected, on the board as it was before it; 0 for none"""

    @property
    def pointed_out(self) -> tuple[PlayerView, ...]:
        """The players, with the one whose entry is asked about in the place of who acts."""
        if not self.asked_seat:
            return self.players
        return tuple(replace(player, acts=player.seat == self.asked_seat) for player in self.players)

    @property
    def acting(self) -> frozenset[int]:
        """The seats that act."""
        return frozenset(player.seat for player in self.players if player.acts)

    @property
    def question(self) -> str:
        """What the table is asked, whose answers are the first choices; "" for nothing."""
        first = next(iter(self.choices), None)
        return first.group if first is not None and first.group and not first.kind else ""

    @property
    def is_refusal(self) -> bool:
        """Whether an action was refused."""
        return self.verdict is not None and self.verdict.kind is VerdictKind.REFUSED

    @property
    def is_refused_touch(self) -> bool:
        """Whether what was touched was refused, so that nothing lies on the board that is to be taken back."""
        return bool(self.barred) or (self.verdict is not None and self.is_refusal and not self.verdict.spots)


@dataclass(frozen=True, slots=True)
class OfferView:
    """Something to play, on the start screen. `key` is handed back when it is chosen."""

    key: str
    title: str
    detail: str = ""
