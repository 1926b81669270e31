"""The menu of a table: what lies open, history, closed hands, camera and boxes, the end. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from companion.detail import SCORE_ONLY
from companion.session.intents import Intent, IntentKind
from companion.wording.sentences import sentence
from ui.services.levels import level_meaning, level_name
from ui.services.text import _
from ui.table.composing import CAMERA, holdings_of
from ui.table.entry_lines import entry_lines
from ui.table.latest_moves import told_faces
from ui.table.presenter import Presenter
from ui.view_models.form_view import BoardShown, FormModel, Hidden, Note, Picks, Row, SectionHeading, Tone, pick
from ui.view_models.play_view import LogLine
from ui.view_models.setup_view import PickView

WAYS = "ways"
"""key of the ways to pages and other screens; each is called by the key, and perhaps the value, of its touch"""
PAGE = 8
"""entries of the history shown at once"""
END_REASONS = (sentence("Time is up"), sentence("We have had enough"), sentence("For another reason"))
"""why a game is ended early; recorded in English, shown in the language of the table"""


class TableMenu(FormModel):
    """The menu of a table, or at once its page about what lies open.

    `leave` goes back to the board, `turn` turns the screen, `rules` opens the rules, `phones` shows how they come to
    the table, `organiser` how an organiser sees it, `home` leads to the first screen, `score` to the score, `count`
    counts the board at the end; None where that cannot be.
    """

    def __init__(
        self,
        presenter: Presenter,
        leave: Callable[[], None],
        turn: Callable[[], None] | None = None,
        *,
        looking: bool = False,
        rules: Callable[[], None] | None = None,
        phones: Callable[[], None] | None = None,
        organiser: Callable[[], None] | None = None,
        home: Callable[[], None] | None = None,
        score: Callable[[], None] | None = None,
        count: Callable[[], None] | None = None,
    ) -> None:
        self._presenter, self._leave, self._turn, self._looking = presenter, leave, turn, looking
        self._home, self._score, self._count = home, score, count
        self._rules, self._phones, self._organiser = rules, phones, organiser
        self._page, self._first = "open" if looking else "", 0
        self._leaving = 0
        """the seat whose leaving would end the game, until that is answered"""

    def heading(self) -> str:
        """What the page is about."""
        match self._page:
            case "open":
                return _("What lies open")
            case "history":
                return _("History")
            case "secrets":
                return _("Closed hands")
            case "leave":
                return _("A player leaves")
            case "end":
                return _("End early")
            case "detail":
                return _("What is told")
        return _("The table")

    def rows(self) -> Sequence[Row]:
        """The page."""
        match self._page:
            case "open":
                return self._open()
            case "history":
                return self._history()
            case "secrets":
                return self._secrets()
            case "leave":
                return self._asks_for_end() if self._leaving else self._leaves()
            case "end":
                return self._ends()
            case "detail":
                return self._details()
        return self._main()

    def board(self) -> BoardShown | None:
        """The board as it is recorded, beside the pages that speak of it."""
        if not self._page:
            return None
        view = self._presenter.view()
        return BoardShown(self._presenter.board, view.pieces)

    def touch(self, key: str, value: str) -> None:
        """Something was touched."""
        if key == WAYS:
            key, _space, value = value.partition(" ")
        ways = {
            "rules": self._rules, "turn": self._turn, "phones": self._phones, "home": self._home, "score": self._score,
            "organiser": self._organiser, "count": self._count,
        }  # fmt: skip
        if (way := ways.get(key)) is not None:
            way()
            return
        match key, value:
            case "page", _:
                self._page, self._first, self._leaving = value, 0, 0
            case "clock", _ if self._presenter.turn_clock is not None:
                self._presenter.turn_clock.pause(paused=not self._presenter.turn_clock.is_paused)
            case "camera", _:
                self._presenter.on_intent(Intent(IntentKind.PAUSE))
            case "judge", _:
                self._presenter.on_intent(Intent(IntentKind.JUDGE))
            case "older", _:
                self._first = max(0, self._first + int(value))
            case "entry", _:
                self._presenter.on_correct(int(value))
                self._leave()
            case "redo", _:
                self._presenter.on_redo(int(value))
                self._leave()
            case "leave", _ if not self._leaving and len(self._staying()) <= 2:
                self._leaving = int(value)
            case "leave", _:
                self._leaving = 0
                self._presenter.on_leave(int(value))
                self._leave()
            case "stay", _:
                self._leaving = 0
            case "return", _:
                self._presenter.on_return(int(value))
                self._leave()
            case "end", _:
                self._presenter.on_end_early(value)
                self._leave()
            case "detail", _:
                self._presenter.on_change(lambda changes: changes.choose_detail(value))
                self._leave()

    def back(self) -> bool:
        """From a page to the menu, unless the menu was not come by."""
        if self._leaving:
            self._leaving = 0
            return True
        was, self._page = self._page, ""
        return bool(was) and not self._looking

    def _main(self) -> Sequence[Row]:
        """The ways from here in three groups: to look, to change something, to leave."""
        rows: list[Row] = []
        if (judge := self._presenter.judge).is_reachable:
            text = _("Take the call back: no help needed") if judge.is_called else _("Help! Call the judge")
            rows.append(Picks("judge", (pick("", text, chosen=judge.is_called),), columns=1))
        for heading, ways in (
            (_("To look at"), self._ways_to_look()),
            (_("To change"), self._ways_to_change()),
            (_("To leave"), self._ways_to_leave()),
        ):
            if ways:
                rows += [SectionHeading(heading), Picks(WAYS, tuple(ways))]
        devices = self._presenter.view().devices
        rows.append(SectionHeading(_("Camera and boxes")))
        rows.extend(Note(f"{each.name}: {each.state}", Tone.GOOD if each.ok else Tone.BAD) for each in devices)
        if not devices:
            rows.append(Note(_("None. Everything can be touched.")))
        return rows

    def _ways_to_look(self) -> list[PickView]:
        session = self._presenter.session
        ways = [
            pick("page open", _("What lies open"), detail=_("before each player and before everybody")),
            pick("page history", _("History"), detail=_("look back, correct an entry")),
        ]
        if any(session.game.secrets(session.state, seat) for seat in session.state.table.seats):
            ways.append(pick("page secrets", _("Closed hands"), detail=_("each for its player only")))
        if self._rules is not None:
            ways.append(pick("rules", _("Rules"), detail=_("as this table plays them")))
        if self._score is not None and self._presenter.view().score is not None:
            ways.append(pick("score", _("Score"), detail=_("the points so far")))
        return ways

    def _ways_to_change(self) -> list[PickView]:
        session, clock = self._presenter.session, self._presenter.turn_clock
        ways = []
        if not session.is_over and (len(session.game.info.details) > 1 or self._count is not None):
            told = level_name(session.game.detail(session.state))
            ways.append(pick("page detail", _("What is told"), detail=told))
        if self._phones is not None:
            ways.append(pick("phones", _("Phones"), detail=_("a seat, four buttons and a closed hand for each")))
        if self._turn is not None:
            ways.append(pick("turn", _("Turn the screen to the other side")))
        if clock is not None:
            ways.append(pick("clock", _("Let the clock go on") if clock.is_paused else _("Stop the clock")))
        if any(each.name == CAMERA for each in self._presenter.view().devices):
            is_held = self._presenter.is_camera_held
            ways.append(pick("camera", _("Let the camera watch again") if is_held else _("Pause the camera")))
        if self._organiser is not None:
            ways.append(pick("organiser", _("Organiser"), detail=_("one view of many tables")))
        return ways

    def _ways_to_leave(self) -> list[PickView]:
        ways = []
        if self._home is not None:
            ways.append(pick("home", _("To the first screen"), detail=_("the table is kept as it is")))
        if not self._presenter.session.is_over:
            ways.append(pick("page leave", _("A player leaves"), detail=_("the others go on")))
            ways.append(pick("page end", _("End early"), detail=_("stop here and count")))
        return ways

    def _open(self) -> Sequence[Row]:
        view = self._presenter.view()
        rows: list[Row] = []
        for player in view.players:
            rows += [SectionHeading(f"{player.name}: {player.points}"), Note(_lines(player.holdings) or _("nothing"))]
        if view.open_supply:
            rows += [SectionHeading(_("Before everybody")), Note(_lines(view.open_supply))]
        return rows

    def _history(self) -> Sequence[Row]:
        session = self._presenter.session
        lines = entry_lines(session, self._presenter.texts)[::-1]
        shown = lines[self._first : self._first + PAGE]
        redoable = {entry.number for entry in session.redoable()}
        faces = told_faces(session, {line.number for line in shown})
        rows: list[Row] = [Note(_("Touch the entry that was another action.") if lines else _("Nothing yet."))]
        for line in shown:
            if line.is_correctable:
                text = f"{line.number}  {self._told(line)}"
                colour = session.table.players[line.seat - 1].colour if line.seat else ""
                shown_as = pick(str(line.number), text, detail=line.note)
                shown_as = replace(shown_as, faces=faces.get(line.number, ()), colour=colour)
                rows.append(Picks("entry", (shown_as,), columns=1))
            elif line.number in redoable:
                text = f"{line.number}  {self._told(line)}"
                detail = _("undone; touch it to let it stand again")
                rows.append(Picks("redo", (pick(str(line.number), text, detail=detail),), columns=1))
            else:
                told = self._told(line)
                if line.note:
                    told = f"{told} ({line.note})"
                elif line.undone:
                    told = _("{entry} (undone)").format(entry=told)
                rows.append(Note(f"{line.number}  {told}"))
        turns = []
        if self._first:
            turns.append(pick(str(-PAGE), _("Newer")))
        if self._first + PAGE < len(lines):
            turns.append(pick(str(PAGE), _("Older")))
        if turns:
            rows.append(Picks("older", tuple(turns)))
        return rows

    def _told(self, line: LogLine) -> str:
        players = self._presenter.session.table.players
        name = players[line.seat - 1].name if line.seat else ""
        return f"{name}: {line.signed}" if name and name not in line.text else line.signed

    def _secrets(self) -> Sequence[Row]:
        session = self._presenter.session
        rows: list[Row] = [Note(_("Hold your name to see what only you may see; let go and it is hidden again."))]
        for seat, player in enumerate(session.table.players, 1):
            held = holdings_of(session.game.secrets(session.state, seat), self._presenter.texts)
            rows.append(Hidden(player.name, _lines(held) or _("nothing")))
        return rows

    def _leaves(self) -> Sequence[Row]:
        session, staying = self._presenter.session, self._staying()
        picks = tuple(pick(str(seat), session.table.players[seat - 1].name) for seat in staying)
        if len(staying) > 2:
            told = _("Who leaves? The pieces stay, the turns of that seat pass, the points count without a place.")
        else:
            told = _("Who leaves? One player alone ends the game: the points are as they stand, and nobody has won.")
        rows: list[Row] = [Note(told), Picks("leave", picks, columns=1)]
        if session.record_status.left:
            back = tuple(
                pick(str(seat), session.table.players[seat - 1].name) for seat in sorted(session.record_status.left)
            )
            rows += [Note(_("Who is back, and plays from the next turn on?")), Picks("return", back, columns=1)]
        return rows

    def _asks_for_end(self) -> Sequence[Row]:
        name = self._presenter.session.table.players[self._leaving - 1].name
        sure = pick(str(self._leaving), _("{name} leaves: end the game").format(name=name))
        return (
            Note(_("If {name} leaves, the game ends here, and nobody has won.").format(name=name), Tone.ASKING),
            Picks("leave", (sure,), columns=1),
            Picks("stay", (pick("", _("No, we go on")),), columns=1),
        )

    def _staying(self) -> list[int]:
        session = self._presenter.session
        return [seat for seat in session.table.seats if seat not in session.record_status.left]

    def _details(self) -> Sequence[Row]:
        session = self._presenter.session
        now = session.game.detail(session.state)
        others = tuple(
            pick(level, level_name(level), detail=level_meaning(level))
            for level in session.game.info.details
            if level != now
        )
        score_only = pick("", level_name(SCORE_ONLY), detail=_("count the board at the end of the game"))
        return (
            Note(_("Told now: {level}.").format(level=level_name(now))),
            *((Picks("detail", others, columns=1),) if others else ()),
            *((Picks("count", (score_only,), columns=1),) if self._count is not None else ()),
            Note(_("The record says from when on. Undo takes it back.")),
        )

    def _ends(self) -> Sequence[Row]:
        return (
            Note(_("Why? The points are counted as they stand, and nobody is named the winner.")),
            Picks("end", tuple(pick(reason, _(reason)) for reason in END_REASONS), columns=1),
            Note(_("Undo takes it back, and the game goes on.")),
        )


def _lines(held: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"{name}: {amount}" for name, amount in held)
