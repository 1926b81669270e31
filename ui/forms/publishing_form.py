"""What an organiser of many tables sees of this one, as a form: switch, broker, name, code, how it stands. No Kivy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.errors import CompanionError, InvalidDocument
from companion.position import LONGEST_NAME
from companion.publishing.kept import Preferences
from companion.publishing.messages import COPIED, Assignment
from companion.registry import known_games, load_game
from companion.wording.characters import is_plain_text
from companion.wording.sentences import translated
from ui.forms.code_scanning import CodeScanning
from ui.services.text import _, error_text
from ui.shell.publishing import PublishedView, TablePublishing, behind_text, judge_text
from ui.view_models.form_view import Field, FormModel, Note, Picks, Row, SectionHeading, ShownPicture, Tone, pick

CODE_FORM = "ABCD-EFGH-IJKL-MNOP-QRST"
_PASSWORD = re.compile(r"^((?:\w+://)?[^:/@]*):.*(@[^@]*)$", re.DOTALL)


class PublishingForm(FormModel):
    """Switches the publishing of the table on and off, and registers it with a hub."""

    def __init__(self, publishing: TablePublishing | None, scanning: CodeScanning | None = None) -> None:
        self._publishing, self._scanning = publishing, scanning
        self._problem = ""
        self._draft = Preferences()
        if publishing is not None:
            try:
                self._draft = publishing.preferences
            except CompanionError as error:
                self._publishing, self._problem = None, error_text(error)

    def heading(self) -> str:
        """What the screen is about."""
        return _("Organiser")

    def rows(self) -> Sequence[Row]:
        """How it stands, and what can be chosen."""
        rows: list[Row] = [Note(self._problem, Tone.BAD)] if self._problem else []
        if self._publishing is None:
            return rows or (Note(_("Nobody can be told about this table."), Tone.BAD),)
        view = self._publishing.view
        if view.is_on:
            rows += [*_standing(view), *_assigned(view.status.assignment)]
        else:
            told = _("An organiser of many tables sees what this screen shows to everybody, never a closed hand.")
            rows.append(Note(told))
        if self._asks_for_code(view):
            if view.is_on:
                rows.append(Field("code", _("Code that the organiser's page shows"), "", CODE_FORM))
            rows += self._scanning.rows() if self._scanning is not None else ()
        rows += [
            Field(
                "broker",
                _("Broker"),
                _without_password(self._draft.broker),
                _("such as 192.168.1.10; empty: this device"),
            ),
            Field("called", _("What the table is called"), self._draft.called, _("such as Table 7")),
            SectionHeading(_("May the players' names be shown?")),
            Picks(
                "names",
                (
                    pick("no", _("No: colours only"), chosen=not self._draft.shows_names),
                    pick("yes", _("Yes"), chosen=self._draft.shows_names),
                ),
            ),
            Picks("off", (pick("", _("Switch off")),), columns=1)
            if view.is_on
            else Picks("on", (pick("", _("Switch on"), leads=True),), columns=1),
        ]
        return rows

    def picture(self) -> ShownPicture | None:
        """What the camera sees while a code is scanned."""
        return self._scanning.shown if self._scanning is not None else None

    def tick(self) -> None:
        """Take in a code that was scanned: it switches on, too, and names the broker where none was reached."""
        invitation = self._scanning.tick() if self._scanning is not None else None
        if invitation is None or self._publishing is None:
            return
        self._problem, view = "", self._publishing.view
        try:
            if not view.is_on or (invitation.broker and not view.connected):
                self._draft = replace(self._draft, broker=invitation.broker or self._draft.broker)
                self._publishing.open(self._draft)
            self._publishing.register(invitation.code)
        except CompanionError as error:
            self._problem = error_text(error)

    def close(self) -> None:
        """Let go of the camera."""
        if self._scanning is not None:
            self._scanning.close()

    def touch(self, key: str, value: str) -> None:
        """Something was touched or written."""
        publishing, self._problem = self._publishing, ""
        if publishing is None:
            return
        try:
            match key:
                case "on":
                    publishing.open(self._draft)
                case "off":
                    publishing.switch_off()
                case "scan" if self._scanning is not None:
                    self._scanning.touch(value)
                case "code" if value.strip():
                    publishing.register(value)
                case "broker" if value.strip() != _without_password(self._draft.broker):
                    self._choose(publishing, replace(self._draft, broker=value.strip()))
                case "called":
                    self._choose(publishing, replace(self._draft, called=_short(value)))
                case "names":
                    self._choose(publishing, replace(self._draft, shows_names=value == "yes"))
        except InvalidDocument:
            self._problem = _("That is no code; it has twenty letters and digits, as {form}.").format(form=CODE_FORM)
        except CompanionError as error:
            self._problem = error_text(error)

    @staticmethod
    def _asks_for_code(view: PublishedView) -> bool:
        return not view.is_on or not view.status.registered or view.status.refused not in ("", COPIED)

    def _choose(self, publishing: TablePublishing, chosen: Preferences) -> None:
        if chosen != self._draft:
            self._draft = chosen
            publishing.change(replace(chosen, is_on=publishing.view.is_on))


def _standing(view: PublishedView) -> Iterator[Row]:
    status = view.status
    if not view.connected:
        why = translated(view.problem, _)
        told = _("No connection to the broker: {why}").format(why=why) if why else _("Connecting to the broker …")
        yield Note(told, Tone.BAD if why else Tone.PLAIN)
        if status.behind:
            yield Note(_("All entries are kept here, and told when the broker is back."))
    elif status.registering:
        yield Note(_("Registering: waiting for the organiser's answer …"), Tone.ASKING)
        if status.refused in ("unregistered", "signature"):  # that is what registering is for
            return
    elif not status.registered:
        yield Note(_("Connected. Type the code that the organiser's page shows."), Tone.ASKING)
    elif status.behind:
        yield Note(_("Registered: {count}.").format(count=behind_text(status.behind)), Tone.ASKING)
    else:
        yield Note(_("Registered; the organiser has everything."), Tone.GOOD)
    if status.refused:
        yield Note(_refusal(status.refused), Tone.BAD)
    if status.judge is not None:
        yield Note(judge_text(status.judge))


def _assigned(assignment: Assignment | None) -> Iterator[Row]:
    if assignment is None:
        return
    yield SectionHeading(_("{event}, round {round}").format(event=assignment.event, round=assignment.round))
    if assignment.game in known_games():
        yield Note(load_game(assignment.game).info.title)
    for each in assignment.seats:
        told = _("{seat}. {name}") if each.seat != assignment.start_seat else _("{seat}. {name} begins")
        yield Note(told.format(seat=each.seat, name=each.player))


def _refusal(why: str) -> str:
    """Why the organiser does not believe the table, in a sentence."""
    reasons = {
        "code": _("The code does not hold, or holds no more; type the one that is shown now."),
        "taken": _("Another table of this name is registered; ask the organiser to take it away."),
        "replayed": _("The organiser has had this message before; type the code again."),
        "schema": _("The organiser's program is of another version; bring both up to date."),
        "unregistered": _("The organiser does not know this table; type the code that is shown now."),
        "signature": _(
            "The organiser knows this table by another key; ask for it to be taken away, then type the code."
        ),
        COPIED: _(
            "Another device tells other entries as this table. On one of the two, close the app, delete table.toml and "
            "publishing.sqlite3 in its data folder, and register it anew."
        ),
    }
    return reasons.get(why, _("The organiser refuses this table ({why}).").format(why=why))


def _without_password(broker: str) -> str:
    """A broker's address as everybody at the table may read it."""
    return _PASSWORD.sub(r"\1:…\2", broker)


def _short(name: str) -> str:
    """A name that may be published."""
    return "".join(each for each in name.strip() if is_plain_text(each))[:LONGEST_NAME]
