"""The play screen while it asks about the record: the answers, on the board that the question is about. No Kivy."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from companion.engine import judge
from companion.session.session import Session
from companion.wording.texts import GameTexts
from ui.services.text import _
from ui.table.big_buttons import leave_it_buttons
from ui.table.camera_follower import CameraFollower
from ui.table.composing import are_boxes_there, holdings_of, players_of
from ui.table.corrections.questions import Corrections
from ui.table.entry_lines import unchecked_rules
from ui.table.held_chips import chips_of
from ui.table.verdict_panel import VerdictPanel, sentences_of
from ui.view_models.play_view import ChoiceView, PieceState, PieceView, PlayView, Reason, VerdictKind, VerdictView


def with_questions(
    view: PlayView,
    corrections: Corrections,
    camera: CameraFollower,
    panel: VerdictPanel,
    marked: Collection[str],
    session: Session,
    texts: GameTexts,
) -> PlayView:
    """The view with what is asked about the record, if anything is; `marked` are the sites touched to choose."""
    least = (2 if panel.refused is not None else 1) if panel.is_by_sight else None
    asked = corrections.choices(camera.tracker, camera.observation, least, tuple(marked))
    if not asked:
        return view
    if corrections.is_asking:
        return question_view(view, corrections, asked, marked, session, texts)
    differences = corrections.differences(camera.tracker, camera.observation)
    choices = (view.choices if panel.refused is not None else ()) + asked
    return replace(view, choices=choices, differences=differences)


def question_view(
    view: PlayView,
    corrections: Corrections,
    asked: tuple[ChoiceView, ...],
    marked: Collection[str],
    session: Session,
    texts: GameTexts,
) -> PlayView:
    """The view with the open question; `asked` are its answers, `marked` the sites touched to choose among them."""
    number = corrections.looked_back_at
    if number is not None:
        view = as_it_was(view, session, texts, number)
    mending = corrections.chosen_back_then
    if mending is not None:
        what = _("what is missing before it?") if mending.inserts else _("what was it instead?")
        view = replace(view, pieces=corrections.pieces(), what=what)
        if marked and not corrections.offers_at(tuple(marked)):
            marked = ()
            view = replace(view, verdict=VerdictView(VerdictKind.NOTE, _("Nothing was allowed here then.")))
    return replace(
        view, choices=asked, prompt=corrections.prompt or asked[0].group, verdict=corrections.told or view.verdict,
        buttons=leave_it_buttons(view.buttons, asked[-1], has_boxes=are_boxes_there(view.devices)),
        asked_seat=corrections.seat, on_board=(), is_hint=False, legal_sites=frozenset(marked), series="",
        touched=next(iter(marked), ""), barred="", corrected=number or 0,
    )  # fmt: skip


def as_it_was(view: PlayView, session: Session, texts: GameTexts, number: int) -> PlayView:
    """The view with board, holdings and supply as they were right before entry `number`, and a note that says so.

    Who is to act stays: lamps and phones go by it.
    """
    game, point = session.game, session.log.before(number)
    state, supply = point.state, game.open_supply(point.state)
    sheet = session.record_status.scores(game, state).won
    unchecked = _unchecked_sentences(session, texts, number)
    is_latest = all(move.number <= number for move in session.moves)
    told = VerdictView(VerdictKind.NOTE, _("The board is shown as it was then."), unchecked)
    return replace(
        view,
        players=players_of(game, state, texts, sheet, view.acting, point.left, game.passed_seats(state)),
        pieces=tuple(PieceView(spot, label, PieceState.PLACED) for spot, label in game.appearance(state).items()),
        open_supply=holdings_of(supply, texts),
        supply=chips_of(supply, texts, game.info.id), rows=(),
        verdict=None if is_latest and not unchecked else told,
    )  # fmt: skip


def _unchecked_sentences(session: Session, texts: GameTexts, number: int) -> tuple[Reason, ...]:
    """What could not be checked of an entry, each reason with its source."""
    entry = next((move.entry for move in session.moves if move.number == number), None)
    if entry is None or entry.action is None or not unchecked_rules(entry):
        return ()
    state = session.log.before(number).state
    verdict = judge(session.game, state, session.game.parse_action(entry.action, state), entry.seat)
    return sentences_of(session.game.rulebook, texts, verdict, session.table.rulings)
