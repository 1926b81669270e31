"""Phones at the table as a form: on and off, the code to scan, who sits where. No Kivy, no network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from companion.errors import CompanionError
from ui.results.sharing import qr_picture
from ui.services.text import _, error_sentence
from ui.shell.phones import PhoneSwitch, host_of
from ui.view_models.form_view import FormModel, Note, Picks, Row, SectionHeading, ShownPicture, Tone, pick


class PhonesForm(FormModel):
    """Switches phones on and off; `names` gives the players at the open table, in order of seat."""

    zooms = False

    def __init__(self, phones: PhoneSwitch | None, names: Callable[[], Sequence[str]]) -> None:
        self._phones, self._names = phones, names
        self._problem, self._coded, self._number = "", "", 0
        self._code: ShownPicture | None = None
        self._is_elsewhere = False
        """whether other addresses are shown to choose from"""
        self._leaving = ""
        """the phone that is to be taken away, once that is touched again"""

    def heading(self) -> str:
        """What the screen is about."""
        return _("Phones")

    def picture(self) -> ShownPicture | None:
        """The code to scan, while phones are on."""
        url = self._phones.url if self._phones is not None else ""
        if url != self._coded:
            self._coded, self._number = url, self._number + 1
            self._code = ShownPicture(qr_picture(url), self._number) if url else None
        return self._code

    def rows(self) -> Sequence[Row]:
        """What there is to say and to touch now."""
        phones = self._phones
        if phones is None:
            return (Note(_("Phones cannot come to this table."), Tone.BAD),)
        rows: list[Row] = [Note(self._problem, Tone.BAD)] if self._problem else []
        if not phones.is_on:
            told = _("Each phone becomes a seat, four buttons and a closed hand: no app, no account, no internet.")
            rows += [Note(told), Picks("on", (pick("", _("Switch on"), leads=True),), columns=1)]
            others = phones.addresses()[1:] if self._problem else ()
            return (*rows, *self._elsewhere(others))
        for question, answers in groupby(phones.questions(), lambda answer: answer.group):
            rows.append(Note(question, Tone.ASKING))
            rows.append(Picks("answer", tuple(pick(answer.key, answer.text) for answer in answers)))
        if phones.unkept:
            told = _("{file} is damaged or cannot be written: the phones are not known again after the program ends.")
            rows.append(Note(told.format(file=phones.unkept), Tone.BAD))
        if phones.moved:
            rows.append(Note(phones.moved, Tone.ASKING))
        rows += [
            Note(_("Scan the code with a phone that is in the same network.")),
            Note(_("Or write the address: {address}").format(address=phones.url)),
            Note(_("Where a phone asks for a code: {code}").format(code=phones.url.rpartition("/")[2])),
            SectionHeading(_("At the table")),
        ]
        names = self._names()
        seated = [
            pick(
                phone,
                _("{name}: phone {number}").format(name=names[seat - 1], number=number),
                detail=_("take it away? touch again") if phone == self._leaving else _("take away"),
            )
            for phone, number, seat in phones.seated()
            if seat <= len(names)
        ]
        rows.append(Picks("revoke", tuple(seated), columns=1) if seated else Note(_("No phone has a seat yet.")))
        renew = pick("", _("Another code"), detail=_("the one before lets nobody in any more"))
        rows += [Picks("renew", (renew,), columns=1), Picks("off", (pick("", _("Switch off")),), columns=1)]
        others = tuple(each for each in phones.addresses() if each != host_of(phones.address))
        return (*rows, *self._elsewhere(others))

    def _elsewhere(self, others: Sequence[str]) -> Sequence[Row]:
        """Other addresses, behind the question whether the page does not open."""
        if not others:
            return ()
        if not self._is_elsewhere:
            return (Picks("elsewhere", (pick("", _("It does not open?")),), columns=1),)
        return (
            SectionHeading(_("It does not open?")),
            Note(_("Is the phone in the same network? If so, try another address; each phone scans the code anew.")),
            Picks("on", tuple(pick(each, each) for each in others), columns=1, as_written=True),
        )

    def back(self) -> bool:
        """Put the other addresses away; False if the screen is to be left."""
        was_open, self._is_elsewhere = self._is_elsewhere, False
        return was_open

    def touch(self, key: str, value: str) -> None:
        """Something was touched."""
        phones = self._phones
        if phones is None:
            return
        if key != "elsewhere":
            self._problem = ""
        before, self._leaving = self._leaving, ""
        match key:
            case "on":
                phones.close()
                try:
                    phones.open(value)
                except CompanionError as error:
                    self._problem = error_sentence(error)
                self._is_elsewhere = False
            case "elsewhere":
                self._is_elsewhere = True
            case "off":
                phones.close()
            case "renew":
                phones.renew_code()
            case "answer":
                phones.answer(value)
            case "revoke" if value == before:
                phones.revoke(value)
            case "revoke":
                self._leaving = value
