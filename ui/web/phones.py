"""The phones at a table, on the table's thread: who sits where, what a post of theirs does, what each is shown.

A post is an intent like a box's press, with the same guards; nothing is judged and no sentence of the rules made here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.engine import actor_of
from companion.errors import CompanionError
from companion.session.intents import Intent, IntentKind, IntentResult, Source
from companion.session.viewing import ClosedPieces
from ui.services.text import _
from ui.shell.table_loop import TableLoop
from ui.table.composing import OVERRIDE
from ui.table.phone_views import PhoneState, PhoneViews
from ui.table.presenter import Presenter
from ui.table.table_questions import TableQuestion, answers_to, is_answer
from ui.view_models.phone_view import PhoneChoice
from ui.view_models.play_view import ChoiceView
from ui.web.art_files import BoardArt
from ui.web.board_art import BoardArts
from ui.web.evening import Evening
from ui.web.kept import KeptPhones
from ui.web.known_phone import KnownPhone
from ui.web.posts import Deed, Post
from ui.web.presence import PhonePresence
from ui.web.proposed_photographs import ProposedPhotographs
from ui.web.seat_questions import NO, YES, seat_question, seat_question_name
from ui.web.shown_pages import ShownPages

BIG_BUTTONS = (IntentKind.DONE, IntentKind.NO, IntentKind.NEXT, IntentKind.HELP)


class Phones:
    """All phones of this machine. One thread, the table's, calls everything here."""

    def __init__(self, kept: KeptPhones, title: str, run: str, presence: PhonePresence, arts: BoardArts) -> None:
        """`title` heads a page before a game is open; `run` tells posts of this run from those of an earlier one."""
        self._kept, self.presence, self._arts = kept, presence, arts
        self._pages = ShownPages(title, run)
        self.roster = self._pages.roster
        numbers = kept.phones()
        self.roster.remember(numbers)
        self._phones = {phone: KnownPhone(number) for phone, number in self.roster.numbers().items()}
        self._photographs = ProposedPhotographs(presence.now)
        self._art: BoardArt | None = None
        self._before: Evening | None = None
        """the table before this one"""
        self._answering = 0
        """the seat whose phone answers just now what the table is asked"""
        self._loop: TableLoop | None = None
        self._views: PhoneViews | None = None
        self._seen: tuple[object, ...] = ()

    def tick(self, loop: TableLoop | None) -> None:
        """Follow the open table, if one is open, and show every phone what has changed."""
        if loop is not self._loop:
            self._attach(loop)
        fresh, numbers = self.roster.take_fresh(), self.roster.numbers()
        for phone in self._phones.keys() - numbers.keys():
            self._stop_asking(self._phones.pop(phone))
            self._kept.forget(phone)
            self.presence.forget(phone)
        for phone in fresh:
            number = numbers.get(phone)
            if number is not None:
                self._phones[phone] = KnownPhone(number, is_dirty=True)
                self._kept.add(phone, number)
        if loop is not None:
            self._withdraw_of_gone(loop.presenter)
            self._follow_own_questions(loop.presenter)
            for known in self._phones.values():  # what held of a position that has passed is said no longer
                known.forget_position(loop.presenter.session.state_id)
            self._photographs.follow(loop, self._phones)
        presenter = loop.presenter if loop is not None else None
        seen: tuple[object, ...] = (_("No game is open at the table yet."),)
        if presenter is not None:
            seen = presenter.view(), presenter.offer
        art = self._arts.of(presenter.board if presenter is not None else None)
        is_drawn_anew, self._art = art is not self._art, art
        if is_drawn_anew or seen != self._seen or any(each.is_dirty for each in self._phones.values()):
            self._seen = seen
            table = presenter.session.table if presenter is not None else None
            self._pages.publish(self._phones, self._views, table, art, drawn_anew=is_drawn_anew)

    def seated(self) -> tuple[tuple[str, int, int], ...]:
        """The phones that have a seat at the open table: (phone, its number, seat)."""
        return tuple((phone, each.number, each.state.seat) for phone, each in self._phones.items() if each.state.seat)

    def revoke(self, phone: str) -> None:
        """Take a phone's seat and key away."""
        known = self._phones.pop(phone, None)
        if known is not None:
            self._stop_asking(known)
        self._kept.forget(phone)
        self.presence.forget(phone)
        self.roster.revoke(phone)
        self._seen = ()

    def questions(self) -> tuple[ChoiceView, ...]:
        """The answers to what the open table is asked, each with its question as `group`."""
        return answers_to(self._loop.presenter.questions) if self._loop is not None else ()

    def answer(self, key: str) -> None:
        """One of these answers was touched."""
        if self._loop is not None and is_answer(key):
            self._loop.presenter.on_choice(key)

    def _withdraw_of_gone(self, presenter: Presenter) -> None:
        """Ask no more for phones that are gone; one that comes back reads it, and may ask again."""
        asked = presenter.questions
        for phone, known in self._phones.items() if asked else ():
            if asked.keys() & _questions_of(known) and self.presence.is_gone(phone):
                self._stop_asking(known)
                known.state = replace(known.state, own_question="")
                self._say(phone, _("This phone was away: the table is asked no more."))

    def _follow_own_questions(self, presenter: Presenter) -> None:
        """A phone whose question is asked no more, since the game went on, is not told any longer that it is."""
        for known in self._phones.values():
            if known.state.own_question and known.state.own_question not in presenter.questions:
                known.forget_question()

    def _stop_asking(self, known: KnownPhone) -> None:
        if self._loop is not None:
            for name in _questions_of(known):
                self._loop.presenter.stop_asking_for(name)

    def do(self, phone: str, post: Post) -> None:
        """What a phone asks for, once for each number."""
        known, loop = self._phones.get(phone), self._loop
        if known is None or loop is None or post.number in known.done:
            return
        known.done.append(post.number)
        self.presence.hear(phone)
        known.is_dirty = True
        known.deeds += not post.asks_for_help
        had_refusal = known.state.refused is not None
        known.state, known.position = replace(known.state, note="", refused=None, telling=()), None
        is_late = post.at != loop.presenter.session.state_id
        if is_late and post.deed not in (Deed.SEAT, Deed.ANSWER):
            self._say(phone, _("The table has gone on meanwhile: look again."), of_position=True)
            return
        match post.deed:
            case Deed.SEAT:
                self._ask_for_seat(phone, post.value, loop.presenter)
            case Deed.ANSWER:
                self._answer(phone, post.value, loop.presenter)
            case _ if not known.state.seat:
                self._say(phone, _("Choose a seat first."))
            case Deed.BUTTON if had_refusal and post.value == IntentKind.NO:
                loop.presenter.unsay(_refused_there())  # it puts away the refusal that this phone alone has read
            case Deed.BUTTON:
                self._press(phone, post.value, loop)
            case Deed.CHOOSE:
                self._choose(phone, post.value, loop.presenter)
            case Deed.UNDO:
                self._undo(phone, loop.presenter)
            case Deed.HAND:
                self._tell(phone, post.names, loop.presenter)

    def do_and_show(self, phone: str, post: Post) -> bool:
        """Do it, and show at once what has come of it, so that the answer to the post does."""
        self.do(phone, post)
        self.tick(self._loop)
        return True

    def forbidden_at(self, phone: str, site: str, piece: str = "") -> tuple[PhoneChoice, ...]:
        """What the seat of a phone may not do at a site, with a piece of the hand or else at all, and why.

        Without a site it is what may not be done with a piece with which nothing may be done.
        """
        known = self._phones.get(phone)
        if known is None or self._views is None or not self._views.may_act(known.state.seat):
            return ()
        seat = known.state.seat
        if not site:
            return self._views.forbidden_with(piece, seat)
        with_piece = self._views.forbidden_at(site, seat, piece)
        return with_piece if with_piece or not piece else self._views.forbidden_at(site, seat, "")

    def photograph(self, phone: str, data: bytes) -> bool:
        """Read a photograph of the board that a phone sent; what it shows is proposed."""
        known, loop = self._phones.get(phone), self._loop
        if known is None or loop is None or not known.state.seat:
            return False
        known.state = replace(known.state, refused=None)  # what the photograph shows is looked at now
        self._photographs.begin(phone, known, data, loop)
        self.tick(loop)
        return True

    def close(self) -> None:
        """Phones are served no more."""
        for known in self._phones.values():
            self._stop_asking(known)
        self._photographs.close()
        self._kept.close()

    def _attach(self, loop: TableLoop | None) -> None:
        if self._loop is not None:
            seated = [(phone, seat) for phone, _number, seat in self.seated()]
            self._before = Evening.at(self._loop.presenter.session.table, seated)
        self._loop, self._views, self._seen = loop, None, ()
        self._photographs.leave_table()
        seats: Mapping[str, int] = {}
        if loop is not None:
            session = loop.presenter.session
            self._views = PhoneViews(loop.presenter, ClosedPieces(session))
            if self._before is not None and not session.entries and not self._kept.seats(session.id):
                for phone, seat in self._before.seats_at(session.table).items():
                    self._kept.sit(session.id, phone, seat)
            seats = {phone: seat for phone, seat in self._kept.seats(session.id).items() if seat in session.table.seats}
        for phone in self._phones:
            self._sit(phone, seats.get(phone, 0))

    def _say(self, phone: str, note: str, *, of_position: bool = False) -> None:
        loop = self._loop
        at = loop.presenter.session.state_id if of_position and loop is not None else None
        self._phones[phone].say(note, at)

    def _ask_for_seat(self, phone: str, value: str, presenter: Presenter) -> None:
        """Ask the table whether a phone may sit at a seat; with "0" it gives up its own."""
        known, session = self._phones[phone], presenter.session
        presenter.stop_asking_for(seat_question_name(known.number))
        if value == "0":
            self._kept.sit(session.id, phone, 0)
            known.state = PhoneState()
            return
        seat = int(value) if value.isdecimal() and len(value) == 1 else 0
        if known.state.seat or seat not in session.table.seats:
            return
        others = frozenset(other for other, each in self._phones.items() if each.state.seat == seat)
        answered, asked = self._seat_answer(phone, seat, others), seat_question_name(known.number)
        if presenter.ask(asked, seat_question(presenter, known.number, seat, answered, is_taken=bool(others))):
            waiting = _("Say at the table that phone {number} is yours: the tablet asks whether it may sit there.")
            known.state = replace(known.state, note=waiting.format(number=known.number), own_question=asked)
        else:
            self._say(phone, _("The table is asked too much at once: try again."))

    def _seat_answer(self, phone: str, seat: int, in_place_of: frozenset[str]) -> Callable[[str], None]:
        """What an answer does; the table was told that the phones `in_place_of` would lose the seat."""

        def answered(answer: str) -> None:
            known, loop = self._phones.get(phone), self._loop
            if known is None or loop is None:
                return
            known.is_dirty = True
            if answer != YES:
                known.state = PhoneState(note=_("The table said no."))
                return
            game = loop.presenter.session.id
            others = {other for other, each in self._phones.items() if each.state.seat == seat}
            if others - in_place_of:  # a phone that came there meanwhile: the table has not said that it shall go
                known.state = PhoneState()
                self._ask_for_seat(phone, str(seat), loop.presenter)
                return
            for other, each in self._phones.items():
                if other in others:
                    each.state, each.is_dirty = PhoneState(note=_("Another phone sits at your seat now.")), True
                    self._kept.sit(game, other, 0)
            self._kept.sit(game, phone, seat)
            self._sit(phone, seat)

        return answered

    def _sit(self, phone: str, seat: int) -> None:
        """A phone has a seat from now on, and knows of its closed pieces what was told on that phone."""
        known, views, loop = self._phones[phone], self._views, self._loop
        known.state, known.is_dirty = PhoneState(seat), True
        if seat and views is not None and loop is not None:
            views.closed.belong(seat, self._kept.told(loop.presenter.session.id, phone))

    def _answer(self, phone: str, key: str, presenter: Presenter) -> None:
        """Answer what the whole table is asked, if a phone may."""
        known = self._phones[phone]
        asked = self._views.asked(known.state) if self._views is not None else None
        if asked is not None and is_answer(key) and key in dict(asked.answers):
            self._answering = known.state.seat
            try:
                presenter.on_choice(key)
            finally:
                self._answering = 0

    def _press(self, phone: str, button: str, loop: TableLoop) -> None:
        """One of the four big buttons, as on a box of this seat."""
        name, _gap, offered = button.partition(" ")
        session, seat = loop.presenter.session, self._phones[phone].state.seat
        if name in (IntentKind.DONE, IntentKind.NEXT) and session.actors and not self._may_act(seat):
            self._say(phone, _("It is not your turn."), of_position=True)
        elif name in BIG_BUTTONS:
            loop.request_read()
            wish = Intent(IntentKind(name), seat, offered=offered, source=Source.PHONE)
            result = loop.presenter.on_intent(wish)
            if result is IntentResult.LATE:
                late = _("The table shows something else by now. Press again if it is still meant.")
                self._say(phone, late, of_position=True)
            elif result is IntentResult.NOT_THIS_SEAT and wish.kind is IntentKind.NO:
                self._undo(phone, loop.presenter)

    def _may_act(self, seat: int) -> bool:
        return self._views is not None and self._views.may_act(seat)

    def _choose(self, phone: str, key: str, presenter: Presenter) -> None:
        known, session, views = self._phones[phone], presenter.session, self._views
        seat = known.state.seat
        if views is None or not views.may_act(seat):
            self._say(phone, _("It is not your turn."), of_position=True)
            return
        shown = {choice.key for choice in views.choices(seat)}
        legal = {action.text for action in (*views.closed.own_actions(seat), *presenter.legal)}
        if key in shown and key not in legal:
            if key == OVERRIDE:
                self._override(phone, presenter)
            else:
                presenter.on_choice(key)
            return
        try:
            action = session.game.public_action(session.game.parse_action(key, session.state))
        except CompanionError:
            self._say(phone, _("That is no action of this game."), of_position=True)
            return
        owner = actor_of(session.game, session.state, action, session.actors)
        if owner is not None and owner != seat and seat in session.actors:
            whose = _("That is for {name} to do.").format(name=session.table.players[owner - 1].name)
            self._say(phone, whose, of_position=True)
            return
        refused = views.refusal(action, seat)
        if refused is not None:
            known.state, known.position = replace(known.state, refused=refused), session.state_id
            presenter.say(_refused_there())
            return
        presenter.play_goes_on()
        presenter.act(action, seat=seat if seat in session.actors else None, source=Source.PHONE)

    def _undo(self, phone: str, presenter: Presenter) -> None:
        """Undo one's own latest; what is another's only when somebody at the table agrees."""
        known, entry = self._phones[phone], presenter.session.can_undo()
        if entry is None or self._views is None:
            return
        if entry.seat is None or entry.seat == known.state.seat:
            presenter.on_intent(Intent(IntentKind.UNDO, known.state.seat, source=Source.PHONE))
            return
        players, what = presenter.session.table.players, presenter.view().undone
        name, other = players[known.state.seat - 1].name, players[entry.seat - 1].name
        text = _("{name} wishes to undo what {other} did: {what}").format(name=name, other=other, what=what)
        self._wish(phone, presenter, text, lambda: presenter.on_intent(Intent(IntentKind.UNDO)))

    def _override(self, phone: str, presenter: Presenter) -> None:
        """Record what the rules forbid only when somebody at the table agrees: on a phone nobody sees it being done."""
        refused, session = presenter.refused, presenter.session
        if refused is None:
            return
        name = session.table.players[self._phones[phone].state.seat - 1].name
        text = _("{name} wishes to record against the rules: {what}").format(
            name=name, what=presenter.texts.action(refused)
        )

        def agreed() -> None:
            if presenter.refused == refused:
                presenter.on_choice(OVERRIDE)

        self._wish(phone, presenter, text, agreed)

    def _wish(self, phone: str, presenter: Presenter, text: str, agreed: Callable[[], object]) -> None:
        """Ask the others whether what a phone wishes may be done; nothing is, where the game has gone on meanwhile."""
        known, number = self._phones[phone], presenter.session.state_id

        def answered(answer: str) -> None:
            known.state = replace(known.state, own_question="")
            known.say("" if answer == YES else self._who_said_no(presenter), presenter.session.state_id)
            if answer == YES and presenter.session.state_id == number:
                agreed()

        question = TableQuestion(text, ((YES, _("Yes")), (NO, _("No"))), answered, on_phones=True)
        asked = _wish_question(known.number)
        if presenter.ask(asked, question):
            known.state = replace(known.state, own_question=asked)
            self._say(phone, _("The others are asked."))

    def _who_said_no(self, presenter: Presenter) -> str:
        if not self._answering:
            return _("The table said no.")
        return _("{name} said no.").format(name=presenter.session.table.players[self._answering - 1].name)

    def _tell(self, phone: str, names: tuple[str, ...], presenter: Presenter) -> None:
        """The owner says what the closed pieces of the seat are: kept for that owner's view, and nowhere shown."""
        if self._views is None or presenter.session.is_over:
            return
        known = self._phones[phone]
        try:
            telling = self._views.closed.tell(known.state.seat, names)
        except ValueError:
            known.state = replace(known.state, telling=names)
            self._say(phone, _("These cannot be the pieces: look at them once more."))
            return
        self._kept.tell(presenter.session.id, phone, telling)


def _refused_there() -> str:
    return _("Refused on the phone.")


def _wish_question(number: int) -> str:
    return f"wish {number}"


def _questions_of(known: KnownPhone) -> set[str]:
    return {seat_question_name(known.number), _wish_question(known.number)}
