"""Which of all that can be done the primary button of the play screen does, and what it offers to boxes by that."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ui.services.text import _
from ui.table.composing import are_boxes_there
from ui.table.legal_choices import END_TOO, ON_BOARD
from ui.table.offering import Offer, OfferKind
from ui.table.picking import CardView, Picking
from ui.table.played_cards import places_of
from ui.table.seating import is_seat_choice
from ui.table.table_questions import is_answer
from ui.view_models.play_view import ButtonView, PlayView


def primary_of(view: PlayView, picking: Picking, cards: Sequence[CardView]) -> CardView | ButtonView | None:
    """The ghost on the board, the button that stands out, or what the only card does; nothing that records nothing.

    What is proposed or suggested comes before a ghost.
    """
    chosen = picking.chosen
    strong = next((button for button in view.buttons if button.strong and button.intent != "help"), None)
    if chosen is not None and not (strong is not None and strong.records):
        what = chosen.confirms or chosen.kind or chosen.text
        if chosen.is_last and not view.is_watched and not are_boxes_there(view.devices):
            return CardView(f"{END_TOO}{chosen.key}", _("{what}, end the turn").format(what=what))
        return CardView(chosen.key, what)
    if strong is not None:
        return strong
    meant = [choice for choice in picking.shown if choice.is_meant]
    if len(meant) == 1 and any(card.selected and card.key == meant[0].key for card in cards):
        return CardView(meant[0].key, meant[0].text)
    first = _first(cards)
    is_of_the_board = bool(picking.group) and places_of(view, picking.group) is not None
    if first is None or first.forbidden or first.opens or is_of_the_board:
        return None
    may = [choice for choice in picking.shown if not choice.forbidden]
    ends_too = len(may) == 1 and may[0].key == first.key and may[0].is_last and bool(may[0].sites)
    if ends_too and not view.is_watched and not are_boxes_there(view.devices):
        return CardView(f"{END_TOO}{first.key}", _("{what}, end the turn").format(what=may[0].text))
    return first if len(cards) == 1 or view.is_refusal else None


def group_to_open(cards: Sequence[CardView]) -> CardView | None:
    """What a press of *done* opens where there is no primary button: the first card, if it is a group."""
    first = _first(cards)
    return first if first is not None and first.opens and not first.forbidden else None


def _first(cards: Sequence[CardView]) -> CardView | None:
    return next((card for card in cards if not card.key.startswith(ON_BOARD)), None)


def held_card(key: str, view: PlayView, *, looks: bool = False, slides: bool = False) -> CardView | None:
    """What a finger does that rests on a card and lets go: its choice, and the end of the turn where that may follow;
    None for nothing else than a touch does. `looks` says that a touch only looks at it, `slides` that the finger may
    go on to the board from it.
    """
    choice = next((each for each in view.choices if each.key == key and not each.forbidden), None)
    if choice is None:
        return None
    what = choice.text if slides else choice.confirms or choice.kind or choice.text
    if choice.can_end and not view.is_watched and not are_boxes_there(view.devices):
        return CardView(f"{END_TOO}{key}", _("{what}, end the turn").format(what=what))
    return CardView(key, what) if choice.confirms or looks or slides else None


def held_place(
    site: str, primary: CardView | ButtonView | None, view: PlayView, picking: Picking
) -> CardView | None:  # fmt: skip
    """What the primary button does, in few words, where that is something legal at the one place that is looked at."""
    if not isinstance(primary, CardView) or primary.opens or view.legal_sites != {site}:
        return None
    key = primary.key.removeprefix(END_TOO)
    here = (each for each in picking.shown if each.key == key and site in each.sites and not each.forbidden)
    choice = next(here, None)
    if choice is None:
        return None
    what = choice.confirms or choice.kind or choice.text
    return CardView(primary.key, what if primary.key == key else _("{what}, end the turn").format(what=what))


def offer_of(primary: CardView | ButtonView | None, picking: Picking, do: Callable[[], None]) -> Offer | None:
    """What the primary button does where it is no big button, or which group is opened in its place; where neither is
    there, what is still to be chosen.

    What is asked about boxes and phones is not offered: no press gives one a seat.
    """
    if isinstance(primary, ButtonView):
        return None
    if primary is None:
        return Offer(OfferKind.NOTHING, "", picking.group, do) if picking.group else None
    if is_seat_choice(primary.key) or is_answer(primary.key):
        return None
    chosen = picking.chosen
    kind = OfferKind.OPENS if primary.opens else OfferKind.TAKES
    if chosen is not None and chosen.key == primary.key:
        kind = OfferKind.STARTED
    return Offer(kind, primary.key, primary.text, do)
