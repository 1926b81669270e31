"""What lies in the tray of the play screen, and how wide its buttons are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ui.drawing.marks import MOST_MARKED
from ui.services.text import _
from ui.table.picking import CardView, Picking
from ui.table.played_cards import cards_of
from ui.table.swatches import SWITCH
from ui.table.table_questions import is_answer
from ui.view_models.play_view import ButtonView, PlayView
from ui.widgets.controls import extent, width_for
from ui.widgets.scale import scale
from ui.widgets.tray import SMALLEST, row_width, without_words

NEXT_PLACE = "next place"
SEVERAL, FEW = 2, 8
"""how many choices of a place are several, and how many of them are shown wherever they have room"""
MOST_ON_SHELF = 60
"""single choices up to which they are shown at once on the shelf"""


def _layouts_of(
    picking: Picking, done: set[str], room: float
) -> tuple[tuple[CardView, ...], tuple[CardView, ...]]:  # fmt: skip
    """The cards one by one, and those by groups that fit into `room` (pixels); without those that a button stands for.

    What is forbidden is folded until it is asked for.
    """
    single, folded, grouped = (
        tuple(card for card in cards if card.key not in done)
        for cards in (
            picking.cards(MOST_ON_SHELF),
            picking.cards_with_reasons_folded(),
            picking.cards_within(lambda cards: row_width([card for card in cards if card.key not in done]) <= room),
        )
    )
    forbidden = [choice.forbidden for choice in picking.shown]
    if not picking.group and any(forbidden) and not any(card.opens for card in single):
        single = folded
        if all(forbidden) or any(choice.is_meant for choice in picking.shown):
            grouped = folded  # what was touched stays among the others
    if picking.has_swatches and not any(card.key == SWITCH or picking.only_looks_at(card.key) for card in grouped):
        grouped = tuple(card for card in picking.cards_beside_swatches() if card.key not in done)
    return single, grouped


def prompt_of(view: PlayView, *, question: str) -> str:
    """What the heading says: the question that is shown, or who is waited for and for what."""
    what = question or view.what or view.prompt
    if view.verdict is not None and view.verdict.differs:
        return _("Table and record differ")
    if view.is_refusal:
        what = _("take it back")
    acting = [player.name for player in view.pointed_out if player.acts]
    if not view.what or question or not acting:
        return what
    return f"{acting[0]} · {what}" if len(acting) == 1 else what[:1].upper() + what[1:]


def room_for_words(button: Any, room: float, cards: Sequence[CardView]) -> float:
    """Pixels that cards leave of `room` to the words of a button beside them; 0 where its sign alone has room."""
    widths = row_width(cards), row_width(cards, SMALLEST), row_width(cards, SMALLEST, parted=True)
    left = [room - width for width in widths]
    return next((each for each in left if button.has_words_within(each)), 0.0)


def question_shown(view: PlayView, picking: Picking) -> str:
    """The question that is shown now, "" for none: the one whose card was touched, else the first; none in the middle
    of a refusal, and none to the whole table in the middle of a move that was begun.
    """
    to_the_table = [choice.group for choice in view.choices if is_answer(choice.key)]
    if picking.group in to_the_table:
        return picking.group
    is_begun = bool(picking.group or view.touched)
    is_refusal = view.is_refusal and not view.barred
    return "" if is_refusal or (is_begun and view.question in to_the_table) else view.question


def tray_cards(
    view: PlayView, picking: Picking, shown: Sequence[ButtonView], room: float, looked_for: str
) -> tuple[CardView, ...]:
    """The cards for a tray with so much room (pixels) beside the buttons shown: single ones if they fit, else groups.

    `looked_for` is the key of what is done on the board whose places are marked.
    """
    done = {button.does for button in shown}
    answers = [choice for choice in view.choices if is_answer(choice.key)]
    question = question_shown(view, picking)
    asked = [choice for choice in answers if choice.group == question]
    single, grouped = _layouts_of(picking, done, room)
    if asked:
        single = grouped = tuple(CardView(choice.key, choice.text) for choice in asked)
    elif answers:  # they wait for the end of what was begun
        questions = Counter(choice.group for choice in answers)
        waiting = () if view.is_refusal else tuple(CardView(each, each, count=questions[each]) for each in questions)
        single, grouped = (
            tuple(card for card in cards if not is_answer(card.key) and card.key not in questions) + waiting[:1]
            for cards in (single, grouped)
        )
    if view.is_hint and not asked and not picking.group and len(view.legal_sites) > MOST_MARKED:
        there = tuple(
            CardView(each.key, each.text, each.faces, each.ghost, selected=each.key == looked_for)
            for each in view.on_board
            if not each.card
        )
        single, grouped = there + single, there + grouped
    if view.played and view.is_hint and not asked and not picking.group:
        own = {choice.key for choice in picking.shown if choice.card} | {each.text for each in view.played}
        played = cards_of(view, picking.shown)
        single, grouped = ((*played, *(card for card in cards if card.key not in own)) for cards in (single, grouped))
    bare = _told_by_pictures(single, view, picking)
    has_room = row_width(bare) <= room or (bare != single and len(bare) <= FEW)
    cards = bare if has_room or len(grouped) == len(bare) else grouped
    if picking.place[1] > 1 and picking.looks_at_places and picking.chosen is not None:
        number, count = picking.place
        return (*cards, CardView(NEXT_PLACE, _("Next place"), figure=f"{number} / {count}"))
    return cards


def _told_by_pictures(cards: Sequence[CardView], view: PlayView, picking: Picking) -> tuple[CardView, ...]:
    """The same without the words below what may be done instead of one another at the place that is looked at, where
    pictures tell it apart: the primary button says it in words.
    """
    groups = Counter(choice.group for choice in picking.shown if not choice.forbidden)
    if not view.touched or max(groups.values(), default=0) < SEVERAL:
        return tuple(cards)
    return tuple(card if card.opens else bare for card, bare in zip(cards, without_words(cards), strict=True))


def fit_buttons(buttons: Sequence[Any], room: float) -> None:
    """Make buttons as wide as their words, but all of them within the room (pixels)."""
    for button in buttons:
        wanted = scale.unit * 36 + extent(button.text, button.largest, True)[0]
        most = max(scale.touch, room / len(buttons) - scale.unit * 12)
        button.width = min(max(scale.touch, wanted), scale.unit * 190, most)


def primary_widths(button: Any, text: str) -> tuple[float, float, float]:
    """How wide (pixels) the primary button is with such a text: in two lines of its smallest letters, in two lines of
    its usual ones, and in one line.
    """
    least, usual = button.least_size(), button.largest
    sizes = (least, button.most_lines), (usual, button.most_lines), (usual, 1)
    narrow, wide, whole = (width_for(text, size, lines, bold=button.bold) for size, lines in sizes)
    return narrow + button.inset, wide + button.inset, whole + button.inset


def width_of_buttons(shown: Sequence[ButtonView]) -> float:
    """Pixels of the buttons beside the primary one."""
    return sum(
        min(scale.unit * 200, scale.unit * 46 + extent(button.text, scale.unit * 18, True)[0])
        for button in shown
        if not button.strong
    )
