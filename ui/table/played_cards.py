"""Cards that are played: their faces lie in the tray in the same places whatever is legal, each with what it does. No
Kivy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from companion.amounts import listed
from companion.wording.texts import GameTexts
from ui.drawing.board_drawing import drawing_of
from ui.table.picking import CardView
from ui.view_models.play_view import ChipView, ChoiceView, PlayView


def card_played(notation: str, game_id: str) -> str:
    """The card, by its word in the notation of an action, that the action plays; "" where its face has no place."""
    word = notation.partition(" ")[0].partition("-")[0]
    return word if word in drawing_of(game_id).played else ""


def played_cards(choices: Iterable[ChoiceView], game_id: str, texts: GameTexts, colour: str) -> tuple[ChoiceView, ...]:
    """Every card that is played, by its word and name with its face; none while none can be."""
    if not any(choice.card for choice in choices):
        return ()
    faces = drawing_of(game_id).choices
    return tuple(
        ChoiceView(word, texts.amounts(listed([word])), faces=(ChipView(colour, faces[word], colour, 1),))
        for word in drawing_of(game_id).played
    )


def by_card(choices: tuple[ChoiceView, ...], view: PlayView) -> tuple[ChoiceView, ...]:
    """The choices, those that play a card in a group of its name while nothing is looked at on the board."""
    if not (view.played and view.is_hint):
        return choices
    names = {each.key: each.text for each in view.played}
    return tuple(replace(choice, group=names.get(choice.card, choice.group)) for choice in choices)


def cards_of(view: PlayView, choices: Iterable[ChoiceView]) -> tuple[CardView, ...]:
    """A card for each that is played, which opens what can be done with it; forbidden where that is nothing."""
    count = Counter(choice.card for choice in (*choices, *view.on_board))
    return tuple(
        CardView(
            each.text, each.text, each.faces, count=count[each.key], forbidden=not count[each.key], told=each.text,
            is_told_by_face=True,
        )
        for each in view.played
    )  # fmt: skip


def places_of(view: PlayView, group: str) -> ChoiceView | None:
    """What is done by touching the board with the card whose group is open."""
    names = {each.key: each.text for each in view.played}
    return next((each for each in view.on_board if each.card and names.get(each.card) == group), None)
