"""Cards that lie in rows to be seen one by one: those before everybody, and those of who acts. No Kivy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.amounts import NOT_TOLD, Amount, Holding
from companion.session.session import Session
from companion.wording.texts import GameTexts
from ui.drawing.board_drawing import drawing_of
from ui.services.text import _
from ui.table.held_chips import chips_of
from ui.view_models.play_view import CardRow, ChipView, PathView


def compose_rows(session: Session, texts: GameTexts) -> tuple[CardRow, ...]:
    """The rows, in the order of the game's drawing; empty ones and those that nobody has told are left out."""
    game, state, actors = session.game, session.state, session.actors
    rows = drawing_of(game.info.id).rows
    if not rows or session.is_over:
        return ()
    held = list(game.open_supply(state))
    if len(actors) == 1:
        held += game.holdings(state, actors[0])
    by_name = {holding.name: holding for holding in held}
    found = []
    for name, beside in rows.items():
        holding = by_name.get(name)
        if holding is None or holding.is_empty or any(each.kind == NOT_TOLD for each in holding.amounts):
            continue
        cards = _cards(holding, texts, drawing_of(game.info.id).holdings)
        told = [by_name[beside]] if beside in by_name else []
        names = tuple(texts.amounts((Amount(card.kind),)) if card.kind else card.numbers for card in cards)
        chips = chips_of(told, texts, game.info.id)
        if cards:
            found.append(CardRow(_(name), cards, names, chips))
    return tuple(found)


def compose_path(session: Session) -> PathView | None:
    """The path on the board that the cards of who acts name, in that player's colour; None where there is none."""
    game, actors = session.game, session.actors
    groups = drawing_of(game.info.id).paths
    if not groups or len(actors) != 1 or session.is_over:
        return None
    for holding in game.holdings(session.state, actors[0]):
        group = session.table.board.groups.get(groups.get(holding.name, ""))
        if group is not None and not holding.is_empty:
            sites = tuple(f"{group.prefix}/{each.kind}" for each in holding.amounts)
            return PathView(tuple(site for site in sites if site in group.sites), _colour_of(session, actors[0]))
    return None


def _colour_of(session: Session, seat: int) -> str:
    return session.table.players[seat - 1].colour


def beside_rows(held: Sequence[Holding], game_id: str) -> tuple[Holding, ...]:
    """What of this is shown in no row, nor beside one."""
    rows = drawing_of(game_id).rows
    return tuple(holding for holding in held if holding.name not in rows and holding.name not in rows.values())


def _cards(holding: Holding, texts: GameTexts, components: Mapping[str, str]) -> tuple[ChipView, ...]:
    """A face for each card that is listed; of those that are only counted one, with their number."""
    component = components.get(holding.name, "")
    cards = []
    for amount in holding.amounts:
        words = f"{_(holding.name)} {texts.amounts((amount,))}"
        face = component.format(kind=amount.kind)
        if amount.count is None:
            cards.append(ChipView(words, face, amount.kind, 1))
        elif amount.count:
            cards.append(ChipView(words, face, amount.kind, amount.count, f"× {amount.count}"))
    return tuple(cards)
