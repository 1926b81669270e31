"""What the primary button of the table's screen would do: a press of *done* on a box or a phone means that, too.

Where *done* closes a step it goes on doing so, unless something was started on the screen. No Kivy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from companion.session.intents import Intent, IntentKind
from ui.view_models.play_view import ButtonView


class OfferKind(StrEnum):
    """What the primary button does."""

    STARTED = "started"
    """it takes the choice whose pieces lie on the board as a ghost"""
    TAKES = "takes"
    """it takes the only choice, or the first answer to a refusal"""
    OPENS = "opens"
    """it shows the choices of a group"""
    NOTHING = "nothing"
    """it is not there, for something is to be chosen first: `text` says of what"""


@dataclass(frozen=True, slots=True)
class Offer:
    """The primary button as it is shown; `key` is of its choice or group, `do` does it."""

    kind: OfferKind
    key: str
    text: str
    do: Callable[[], None] = field(compare=False)


def offer_meant(offer: Offer | None, intent: Intent, actors: tuple[int, ...]) -> Offer | None:
    """What a press of *done* takes of what is offered: nothing where several act and the presser has a seat."""
    if offer is None or intent.kind is not IntentKind.DONE or (intent.seat is not None and len(actors) > 1):
        return None
    return offer if intent.offered in (None, offer.key) else None


def is_offer_gone(offer: Offer | None, intent: Intent) -> bool:
    """Whether something else is offered by now than the presser saw."""
    return bool(intent.offered) and (offer is None or offer.key != intent.offered)


def takes_offer(offer: Offer | None, closings: tuple[Any, ...]) -> bool:
    """Whether *done* does what is offered, where it could close `closings`, None for what it cannot."""
    if offer is None:
        return False
    return offer.kind is OfferKind.STARTED or all(closing is None for closing in closings)


def said_button(button: ButtonView, offer: Offer | None, closing: Any) -> ButtonView:
    """The *done* button of a phone: it names what is offered if that is what it does."""
    takes = (OfferKind.STARTED, OfferKind.TAKES)
    if button.intent != "done" or offer is None or offer.kind not in takes or not takes_offer(offer, (closing,)):
        return button
    return replace(button, text=offer.text, enabled=True, strong=True, offered=offer.key)
