"""Which cards may be turned up right after an action, so that one gesture tells both. No Kivy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.engine import apply_unchecked, legal_actions
from companion.wording.texts import GameTexts
from ui.services.text import _, site_name
from ui.table.legal_choices import Playable
from ui.view_models.play_view import ChoiceView

BOTH = "both: "
"""how the key of a choice begins that is two actions, a line of notation each"""


def turned_up_after(session: Playable, legal: Iterable[Any], key: str, texts: GameTexts) -> tuple[ChoiceView, ...]:
    """The legal action of this notation together with each card that may be turned up right after it, at the place of
    the board that names the card; none where something else comes next.
    """
    game = session.game
    if not game.info.turned_up_steps:
        return ()
    action = next((each for each in legal if each.text == key), None)
    if action is None:
        return ()
    after = apply_unchecked(game, session.state, action).state
    decision = game.decide(after)
    if decision is None or decision.step not in game.info.turned_up_steps:
        return ()
    return tuple(
        ChoiceView(
            f"{BOTH}{action.text}\n{card.text}",
            _("{what}, turned up: {card}").format(what=texts.action(action), card=site_name(texts, card.sites[0])),
            sites=card.sites,
        )
        for card in legal_actions(game, after)
        if len(card.sites) == 1 and game.public_action(card) == card
    )


def actions_of(key: str) -> tuple[str, ...]:
    """The notations of the two actions of such a choice, in order."""
    return tuple(key.removeprefix(BOTH).split("\n"))
