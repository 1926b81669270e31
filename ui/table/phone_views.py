"""What the page of a phone shows: the table's view, and what its seat alone may know and do. No Kivy, no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from companion.amounts import listed
from companion.engine import apply_unchecked
from companion.legality import Status, Verdict
from companion.session.log import Log
from companion.session.session import Session
from companion.session.viewing import ClosedPieces, Disproof, Viewer, ViewerKind
from companion.wording.people import player_names
from ui.services.text import _, site_name
from ui.table.choice_faces import faces_of_action
from ui.table.entry_labels import entry_name
from ui.table.phone_buttons import buttons_after_refusal, buttons_of_acting, buttons_of_waiting
from ui.table.presenter import Presenter
from ui.table.seating import is_seat_choice
from ui.table.table_questions import KEYS, is_answer
from ui.table.verdict_panel import refused_verdict, sentences_of
from ui.table.why_not_here import Judged, at_site, illegal_gestures, illegal_plays, reasons
from ui.view_models.phone_view import AskedView, HandPiece, HistoryLine, PhoneChoice, PhoneView, SeatView
from ui.view_models.play_view import ButtonView, LogLine, MoveView, PlayView, VerdictKind, VerdictView

LATEST_ENTRIES = 40
MOST_LAID = 3
"""pieces that a choice shows, of those that it lays"""
MOST_CHOICES = 400


@dataclass(frozen=True, slots=True)
class PhoneState:
    """What a table knows of one phone: its seat (0: none), what was said to it alone, and a refusal that only it sees.

    `own_question` is the name of the question that this phone asked the table, which it does not answer itself.
    """

    seat: int = 0
    note: str = ""
    refused: VerdictView | None = None
    own_question: str = ""
    telling: tuple[str, ...] = ()
    """what its owner said of the hand that cannot be, to be said once more"""


class PhoneViews:
    """Makes the views of all phones at one table; what costs is made once for each state of the game."""

    def __init__(self, presenter: Presenter, closed: ClosedPieces) -> None:
        self._presenter, self.closed = presenter, closed
        self._choices: dict[tuple[int, bool], tuple[Any, tuple[PhoneChoice, ...]]] = {}
        """by seat and by whether all are shown: what they were made from, and they"""

    def view(self, phone: PhoneState, taken: Mapping[int, int]) -> PhoneView:
        """The page of one phone; `taken` counts the phones at each seat."""
        presenter, session = self._presenter, self._presenter.session
        table, seat = presenter.view(), phone.seat
        is_mine = self.may_act(seat)
        undoable = session.can_undo()
        disproof = self.closed.disproof(seat) if seat and not session.is_over else None
        hand = self.hand(seat, phone.telling or self._told_before(disproof, seat))
        return PhoneView(
            title=table.title,
            prompt=table.prompt,
            what=table.what,
            players=table.players,
            seat=seat,
            is_mine=is_mine,
            pieces=table.pieces,
            path=table.path,
            waited_for=player_names(session.table.players, session.actors, _),
            buttons=self._buttons_of(phone),
            choices=self.choices(seat) if is_mine else (),
            shows_all=is_mine and presenter.shows_all,
            verdict=phone.refused or self._judged_for(seat, _told(table)),
            latest=_latest_of_turn(session, table.moves),
            undo=self._undo(seat),
            undo_is_wish=undoable is not None and undoable.seat not in (None, seat),
            hand=hand,
            hand_name=_hand_name(session, seat),
            hand_problem=self._told_wrongly(disproof) if any(not each.is_told for each in hand) else "",
            supply=table.supply,
            log=tuple(map(_history_line, reversed(table.log[-LATEST_ENTRIES:]))),
            asked=self.asked(phone),
            seats=() if seat else _seats(session, taken),
            note=phone.note,
            score=table.score if session.is_over else None,
            photographs=bool(seat) and not session.is_over,
            is_watched=presenter.is_watched,
            state_id=session.state_id,
        )

    def _undo(self, seat: int) -> str:
        """What the undo of a seat's phone undoes, by whom where that is another."""
        session, table = self._presenter.session, self._presenter.view()
        entry = session.can_undo()
        if not seat or entry is None or entry.seat is None:
            return table.undo if seat else ""
        if entry.seat == seat:
            return _("Undo: {what}").format(what=table.undone)
        name = session.table.players[entry.seat - 1].name
        return _("Undo what {name} did: {what}").format(name=name, what=table.undone)

    def _buttons_of(self, phone: PhoneState) -> tuple[ButtonView, ...]:
        if not phone.seat:
            return ()
        buttons = self._buttons(phone.seat)
        return buttons_after_refusal(buttons) if phone.refused is not None else buttons

    def _buttons(self, seat: int) -> tuple[ButtonView, ...]:
        """The table's big buttons, *done* named for what it does on this phone."""
        presenter, actors = self._presenter, self._presenter.session.actors
        if seat in actors:
            own_actions = self.closed.own_actions(seat) if len(actors) > 1 else ()
            return buttons_of_acting(presenter, seat, own_actions)
        buttons = presenter.view().buttons
        return buttons_of_waiting(buttons) if actors and not self.may_act(seat) else buttons

    def may_act(self, seat: int) -> bool:
        """Whether the table waits for a seat, or for one whose player left and for whom the others act."""
        session = self._presenter.session
        actors, left = session.actors, session.record_status.left
        return bool(seat) and (seat in actors or (bool(actors) and left.issuperset(actors)))

    def hand(self, seat: int, telling: Sequence[str] = ()) -> tuple[HandPiece, ...]:
        """The closed pieces of a seat by what their owner has said, those not yet told with what they may be.

        What was told last and cannot be stands beside its piece, with why. Once the game is over nothing is asked for.
        """
        if not seat:
            return ()
        log, word = self.closed.known_to(Viewer(ViewerKind.SEAT, seat)), self._word
        session = self._presenter.session
        if session.is_over:
            known = (piece for piece in log.game.closed_pieces(log.state, seat) if piece.is_known)
            return tuple(HandPiece(piece.name, word(piece.name)) for piece in known)
        unknown = [each for each in session.game.closed_pieces(session.state, seat) if not each.is_known]
        public = Counter(each.name for each in session.game.closed_pieces(session.state, seat) if each.is_known)
        hand = []
        for piece in sorted(log.game.closed_pieces(log.state, seat), key=lambda piece: not piece.is_known):
            options: tuple[str, ...] = ()
            if public[piece.name]:
                public[piece.name] -= 1
            else:
                fitting = (each for each in unknown if piece.name == each.name or piece.name in each.may_be)
                found = next(fitting, None)
                if found is not None:
                    unknown.remove(found)
                    options = (found.name, *found.may_be)
            told = tuple((name, word(name)) for name in options)
            hand.append(HandPiece(piece.name, word(piece.name), told, piece.is_known))
        return tuple(self._told_again(hand, seat, telling)) if telling else tuple(hand)

    def _word(self, name: str) -> str:
        return self._presenter.texts.amounts(listed([name]))

    def _told_again(self, hand: Iterable[HandPiece], seat: int, telling: Sequence[str]) -> Iterator[HandPiece]:
        """The hand with what was told of each piece, in the order in which a page asks for them."""
        certain = Counter(piece.name for piece in hand if not piece.may_be)
        impossible = self.closed.impossible(seat, telling)
        possible = Counter(name for place, name in enumerate(telling) if place not in impossible)
        said: list[tuple[str, bool]] = []
        for place, name in enumerate(telling):
            if certain[name]:
                certain[name] -= 1
            else:
                said.append((name, place in impossible))
        for piece in hand:
            name, is_wrong = said.pop(0) if piece.may_be and said else ("", False)
            why = ""
            if is_wrong:
                why = _("{card}: at most {count} can be here").format(card=self._word(name), count=possible[name])
            yield replace(piece, said=name if name in dict(piece.may_be) else "", problem=why)

    def _told_before(self, disproof: Disproof | None, seat: int) -> tuple[str, ...]:
        """What a seat had told of a hand that is as large as it was then, in the order in which a page asks for it."""
        hand = self.hand(seat) if disproof is not None else ()
        if disproof is None or len(disproof.told) != len(hand):
            return ()
        left, placed = list(disproof.told), dict[int, str]()
        for place, piece in sorted(enumerate(hand), key=lambda each: len(each[1].may_be)):
            options = {name for name, _text in piece.may_be} or {piece.name}
            name = next((name for name in left if name in options), None)
            if name is not None:
                left.remove(name)
                placed[place] = name
        return tuple([placed[place] if place in placed else left.pop(0) for place in range(len(hand))])

    def _told_wrongly(self, disproof: Disproof | None) -> str:
        """What has shown that the told hand cannot be, in a sentence for its owner."""
        if disproof is None:
            return ""
        presenter, texts = self._presenter, self._presenter.texts
        if disproof.move is None:
            return _("The record was changed, and the hand you told cannot be any more: say once more what you hold.")
        move = entry_name(disproof.move.entry, presenter.session, texts)
        if not disproof.wrong:
            return _("“{move}” does not go with the hand you told: say once more what you hold.").format(move=move)
        shown = _("“{move}” shows that you cannot hold {pieces}: say once more what you hold.")
        return shown.format(move=move, pieces=texts.amounts(listed(disproof.wrong)))

    def refusal(self, action: Any, seat: int) -> VerdictView | None:
        """Why an action is refused on the phone of a seat alone: by what its owner alone knows, or by a rule that
        everybody knows where it plays a closed piece, which stays unseen. None where nothing more refuses it.
        """
        session = self._presenter.session
        public, own = session.judge(action, seat), self.closed.judge(action, seat)
        if not public.is_legal and not self.closed.names_unseen(action, seat):
            return None
        refusing = next((verdict for verdict in (own, public) if not verdict.is_legal), None)
        return None if refusing is None else self._refused(action, refusing)

    def _judged_for(self, seat: int, told: VerdictView | None) -> VerdictView | None:
        """What everybody is told of the latest action; where it could not be checked, judged by what a seat knows.

        It is recorded, so that what the owner's hand speaks against stays a doubt.
        """
        if told is None or told.kind is not VerdictKind.NOT_CHECKABLE:
            return told
        if not seat:
            return told.sparing
        verdict, session = self.closed.judge_latest(seat), self._presenter.session
        if verdict is None:
            return told.sparing
        if verdict.status is Status.LEGAL:
            return replace(told, kind=VerdictKind.ACCEPTED, sentences=())
        texts, rulings = self._presenter.texts, session.table.rulings
        return replace(told, sentences=sentences_of(session.game.rulebook, texts, verdict, rulings))

    def forbidden_at(self, site: str, seat: int, piece: str = "") -> tuple[PhoneChoice, ...]:
        """What may not be done at a site, or with a piece of the hand there, and why not."""
        known = Session(self.closed.known_to(Viewer(ViewerKind.SEAT, seat))) if seat else self._presenter.session
        if site not in {spot.site for spot in self._presenter.board.spots.values()}:
            return ()
        judged = self._forbidden_with(piece, site, seat) if piece else illegal_gestures(known, site)
        return self._why_not(judged, site_name(self._presenter.texts, site), (site,), piece)

    def forbidden_with(self, piece: str, seat: int) -> tuple[PhoneChoice, ...]:
        """What may not be done with a piece of the own hand, and why not; nothing where something may be."""
        held = next((each for each in self.hand(seat) if each.name == piece), None)
        if held is None or any(choice.piece == piece for choice in self.choices(seat)):
            return ()
        known = Session(self.closed.known_to(Viewer(ViewerKind.SEAT, seat)))
        sites = dict.fromkeys(spot.site for spot in self._presenter.board.spots.values())
        return self._why_not(reasons(illegal_plays(known, piece, sites)), held.text, (), piece)

    def _why_not(
        self, judged: Iterable[Judged], what: str, sites: tuple[str, ...], piece: str
    ) -> tuple[PhoneChoice, ...]:
        texts, game = self._presenter.texts, self._presenter.session.game
        rulings, group = self._presenter.session.table.rulings, _("{site}: why not?").format(site=what)
        told: dict[str, tuple[type[Any], list[PhoneChoice]]] = {}
        for action, verdict in judged:
            why = next((text for text, _source in sentences_of(game.rulebook, texts, verdict, rulings)), "")
            kind, alike = told.setdefault(why, (type(action), []))
            if type(action) is kind:  # a reason that holds for several kinds is told of the likeliest
                said = _("For the same reason.") if alike else why
                choice = PhoneChoice(action.text, texts.action(action), group, sites, piece, forbidden=True, why=said)
                alike.append(choice)
        return tuple(choice for _kind, alike in told.values() for choice in alike)

    def _forbidden_with(self, piece: str, site: str, seat: int) -> tuple[Judged, ...]:
        """What a piece of the hand may do elsewhere and not at a site: one action for each set of rules it breaks."""
        played = {choice.key for choice in self.choices(seat) if choice.piece == piece}
        elsewhere = (action for action in self.closed.own_actions(seat) if action.text in played)
        there = dict.fromkeys(moved for action in elsewhere if (moved := at_site(action, site)) is not None)
        judged = ((action, self.closed.judge(action, seat)) for action in there)
        return reasons(each for each in judged if not each[1].is_legal)

    def _refused(self, action: Any, verdict: Verdict) -> VerdictView:
        session = self._presenter.session
        return refused_verdict(session.game, self._presenter.texts, action, verdict, session.table.rulings)

    def choices(self, seat: int) -> tuple[PhoneChoice, ...]:
        """What a seat that acts may choose: what the table is asked, else its legal actions as its owner names them."""
        presenter = self._presenter
        legal = {action.text for action in presenter.legal}
        shown = [each for each in presenter.view().choices if not (is_seat_choice(each.key) or is_answer(each.key))]
        asked = [choice for choice in shown if choice.key not in legal and not choice.forbidden]
        if asked:
            return tuple(PhoneChoice(choice.key, choice.text, choice.group, choice.sites) for choice in asked)
        log = self.closed.known_to(Viewer(ViewerKind.SEAT, seat))
        made_from = log, presenter.texts.prompt(log.game, log.state)
        known = self._choices.get((seat, presenter.shows_all))
        if known is None or known[0][0] is not log or known[0][1] != made_from[1]:
            known = self._choices[seat, presenter.shows_all] = made_from, self._legal_of(seat)
        return known[1]

    def _legal_of(self, seat: int) -> tuple[PhoneChoice, ...]:
        presenter, texts = self._presenter, self._presenter.texts
        session, unseen = presenter.session, presenter.session.game.info.unseen
        actions = self.closed.own_actions(seat) if seat in session.actors else presenter.legal
        log = self.closed.known_to(Viewer(ViewerKind.SEAT, seat))
        effects, colour = _Effects(log, seat), session.table.players[seat - 1].colour
        choices = []
        for action in actions[:MOST_CHOICES]:
            piece = effects.piece_played(action)
            is_usual = presenter.shows_all or (not piece and (isinstance(action, unseen) or not action.sites))
            choices.append(
                PhoneChoice(
                    action.text, texts.action(action), texts.kind(action), action.sites, piece, is_usual,
                    laid=effects.laid(action), card=str(getattr(action, "card", "")),
                    faces=faces_of_action(session.table.game, action.text, colour),
                )
            )  # fmt: skip
        return tuple(choices)

    def asked(self, phone: PhoneState) -> AskedView | None:
        """What the table is asked, to be answered on a phone that sits at it, too."""
        if not phone.seat:
            return None
        for name, question in self._presenter.questions.items():
            if name != phone.own_question and question.on_phones:
                return AskedView(
                    question.text, tuple((f"{KEYS}{answer} {name}", text) for answer, text in question.answers)
                )
        return None


class _Effects:
    """What actions of a seat would do to its closed pieces, asked once for each kind of action, and to the board."""

    def __init__(self, log: Log, seat: int) -> None:
        self._log, self._seat = log, seat
        self._look = log.game.appearance(log.state)
        self._held = Counter(piece.name for piece in log.game.closed_pieces(log.state, seat) if piece.is_known)
        self._plays: dict[type, bool] = {}

    def laid(self, action: Any) -> tuple[tuple[str, str], ...]:
        """The first (spot, label) pairs that lie on the board after an action and did not before."""
        game = self._log.game
        look = game.appearance(apply_unchecked(game, self._log.state, action).state)
        return tuple([each for each in look.items() if self._look.get(each[0]) != each[1]][:MOST_LAID])

    def piece_played(self, action: Any) -> str:
        """The name of the piece; "" where the action plays none that is known."""
        card = getattr(action, "card", "")
        if card not in self._held:
            return ""
        if type(action) not in self._plays:
            game, state = self._log.game, apply_unchecked(self._log.game, self._log.state, action).state
            left = Counter(piece.name for piece in game.closed_pieces(state, self._seat))
            self._plays[type(action)] = left[card] < self._held[card]
        return str(card) if self._plays[type(action)] else ""


def _latest_of_turn(session: Session, moves: Sequence[MoveView]) -> MoveView | None:
    """The latest move, unless another seat has done something since that cannot be shown."""
    if not moves:
        return None
    since = takewhile(lambda entry: entry.number > moves[0].number, reversed(session.entries))
    return moves[0] if all(entry.seat == moves[0].seat for entry in since) else None


def _told(table: PlayView) -> VerdictView | None:
    """What the table was told last, unless it is what is waited for, which stands on the page already."""
    verdict = table.verdict
    if verdict is None or verdict.sentences or verdict.kind is not VerdictKind.NOTE:
        return verdict
    return None if verdict.headline == table.prompt else verdict


def _history_line(line: LogLine) -> HistoryLine:
    """What a phone's history says of an entry, without the sign of what could not be checked."""
    return HistoryLine(line.number, f"{line.text} ({line.note})" if line.note else line.text, line.undone)


def waiting_view(title: str, prompt: str) -> PhoneView:
    """The page while no game is open."""
    return PhoneView(title=title, prompt=prompt, what=prompt)


def _hand_name(session: Session, seat: int) -> str:
    if not seat:
        return ""
    secrets = session.game.secrets(session.state, seat)
    return _(secrets[0].name) if secrets else ""


def _seats(session: Session, taken: Mapping[int, int]) -> tuple[SeatView, ...]:
    return tuple(
        SeatView(seat, player.name, player.colour, taken.get(seat, 0) > 0)
        for seat, player in enumerate(session.table.players, 1)
    )
