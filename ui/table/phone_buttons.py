"""The four big buttons as a phone shows them: *done* names what it does there, and no other seat's act. No Kivy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion.session.intents import IntentKind
from ui.services.text import _
from ui.table.offering import said_button
from ui.table.presenter import Presenter
from ui.view_models.play_view import ButtonView, VerdictKind


def buttons_of_acting(presenter: Presenter, seat: int, own_actions: Iterable[Any]) -> tuple[ButtonView, ...]:
    """The buttons of a seat that the table waits for, alone or with others."""
    session, buttons = presenter.session, presenter.view().buttons
    closing = session.game.closing_action(session.state, seat)
    if session.actors != (seat,):
        return _beside_others(presenter, buttons, closing, own_actions)
    said = tuple(said_button(button, presenter.offer, closing) for button in buttons)
    if not any(button.offered for button in said):
        return said
    return tuple(replace(button, strong=bool(button.offered)) for button in said)


def buttons_of_waiting(buttons: Iterable[ButtonView]) -> tuple[ButtonView, ...]:
    """The buttons of a seat while others are waited for: *done* and *next* do nothing, whatever they do for them."""
    return tuple(_of_waiting(button) for button in buttons)


def _of_waiting(button: ButtonView) -> ButtonView:
    if button.intent == IntentKind.DONE:
        return replace(button, text=_("Done"), does="", said="", enabled=False)
    return replace(button, enabled=False) if button.intent == IntentKind.NEXT else button


def buttons_after_refusal(buttons: Iterable[ButtonView]) -> tuple[ButtonView, ...]:
    """The buttons of a phone that has read a refusal of its own: there *no* puts that away and undoes nothing."""
    return tuple(replace(each, text=_("No"), enabled=True) if each.intent == "no" else each for each in buttons)


def _beside_others(
    presenter: Presenter, buttons: Iterable[ButtonView], closing: Any, own_actions: Iterable[Any]
) -> tuple[ButtonView, ...]:
    """The table's buttons name what the first of those does who are waited for: here it is the own act."""
    texts, session = presenter.texts, presenter.session
    first = session.game.closing_action(session.state, session.actors[0])
    if first is None or closing is None or not any(button.does == first.text for button in buttons):
        return tuple(buttons)
    is_refused = (verdict := presenter.view().verdict) is not None and verdict.kind is VerdictKind.REFUSED
    is_next = not is_refused and all(action == closing for action in own_actions)
    said = texts.action(closing)
    own = []
    for button in buttons:
        if button.does == first.text:
            text = _("Done: {what}").format(what=said) if presenter.has_boxes else said
            own.append(replace(button, text=text, said=said, does=closing.text, strong=is_next))
        else:
            own.append(replace(button, strong=button.strong and not is_next))
    return tuple(own)
