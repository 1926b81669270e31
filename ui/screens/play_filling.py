"""What fills the tray of the play screen and the shelf beside the board, and how they share their room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from kivy.properties import StringProperty

from companion.board.layout import Board
from ui.drawing.board_drawing import drawing_of
from ui.screens.play_lens import has_lens
from ui.screens.play_primary import group_to_open, primary_of
from ui.screens.play_rail import foot_height, has_room_for_shelf
from ui.screens.play_rows import row_in_tray_wants, rows_in_tray
from ui.screens.play_tray import NEXT_PLACE, fit_buttons, primary_widths, room_for_words, tray_cards, width_of_buttons
from ui.table.offering import Offer, OfferKind
from ui.table.picking import CardView, Picking
from ui.view_models.play_view import ButtonView, PlayView
from ui.widgets.controls import PushButton, same_children
from ui.widgets.scale import scale
from ui.widgets.tray import MOST_GROWN, SMALLEST, row_width, without_words

GROWN_BESIDE_LENS = 2.6
"""how much higher than in a row cards may be beside the lens"""
PRIMARY_WIDTH, SMALLEST_PRIMARY = 220, 130
"""design pixels of the primary button"""
MOST_PRIMARY = 0.4
"""of the window, that the primary button takes at most for all its words in one line"""
LEAST_SEEN = 0.6
"""the part of a row that slides which is seen at least"""
UNDO_WIDTH, REDO_WIDTH = 0.24, 0.16
"""of the window, that the buttons that undo and redo take at most"""


class BigButton(PushButton):
    """A button beside the primary one."""

    intent = StringProperty()


class FilledScreen(Protocol):
    """What the tray needs of the screen that it is part of."""

    ids: Any
    width: float
    gap: float
    picking: Picking
    holding: Any
    primary_text: str
    primary_width: float
    is_picking: bool
    undo_room: float
    redo_room: float

    def press(self, control: str) -> None:
        """Do what a button does."""

    def offer(self, primary: CardView | ButtonView | None) -> Offer | None:
        """Take this as the primary button, and let boxes and phones do what it does."""


def has_letters(text: str) -> bool:
    """Whether a text says more than a figure does."""
    return any(map(str.isalpha, text))


def _beside_shelf(cards: Sequence[CardView], seen: Sequence[CardView], room: float) -> tuple[CardView, ...]:
    """The cards that lie in a row (pixels) of the tray while others lie on the shelf: as many as have room of those
    that choose no piece, the next place first, its figures alone where its words have none. `seen` lie beside a lens.
    """
    found: dict[str, CardView] = {}
    for card in sorted(cards, key=lambda each: each.key != NEXT_PLACE):
        is_reason = card.forbidden and card.opens
        if card.key == NEXT_PLACE or card.is_beside or is_reason or (seen and card not in seen):
            for each in dict.fromkeys((card, replace(card, text="") if card.figure else card)):
                if card.key not in found and row_width((*found.values(), each), SMALLEST, parted=True) <= room:
                    found[card.key] = each
    return tuple(found[card.key] for card in cards if card.key in found)


class PlayTray:
    """Fills tray and shelf."""

    def __init__(self, screen: FilledScreen, board: Board) -> None:
        self._screen, self._board = screen, board

    def _big_button(self) -> BigButton:
        return BigButton(on_release=lambda pressed: self._screen.press(pressed.intent))

    def show(self, view: PlayView, looked_for: str) -> tuple[CardView, ...]:
        """Show the cards in a row of the tray, or on the shelf where they are too many; the buttons; the primary one.

        `looked_for` is the key of what is done on the board whose places are marked. Gives all cards.
        """
        screen, ids = self._screen, self._screen.ids
        shown = [button for button in view.buttons if button.enabled and button.needed and button.intent != "help"]
        screen.undo_room, screen.redo_room = screen.width * UNDO_WIDTH, screen.width * REDO_WIDTH
        room = max(scale.unit * 100, self._tray_room(view, shown))
        cards = tray_cards(view, screen.picking, shown, room, view.series or looked_for)
        primary = primary_of(view, screen.picking, cards)
        if primary is None:  # then its room is the cards', too
            more = tray_cards(view, screen.picking, shown, room + screen.primary_width, view.series or looked_for)
            cards = more if primary_of(view, screen.picking, more) is None else cards
        every, offer = cards, screen.offer(primary or group_to_open(cards))
        screen.primary_text = primary.text if primary is not None else ""
        is_near = has_lens(screen, view) and screen.picking.chosen is not None and len(view.legal_sites) == 1
        if is_near:  # the one that the button does lies among the others beside the lens; what is seen needs no figure
            cards = tuple(card if has_letters(card.text) else replace(card, text="") for card in cards)
        else:
            cards = tuple(card for card in cards if card is not primary)
        screen.primary_text = screen.holding.told() or screen.primary_text
        self._fit_primary(screen.primary_text)
        beside = [button for button in shown if button is not primary and not view.corrected]  # the cross does it, too
        for button, told in zip(same_children(ids.buttons, len(beside), self._big_button), beside, strict=True):
            is_named = told.said and offer is not None and offer.kind is OfferKind.STARTED
            button.intent, button.disabled = told.intent, not told.enabled
            button.text = told.said if is_named else told.text  # where *done* on a box does the primary one
        self._fit_buttons()
        colour = next((player.colour for player in view.pointed_out if player.acts), "")
        screen.is_picking = bool(screen.picking.group or view.touched or view.corrected or view.is_refused_touch)
        seen = tuple(card for card in cards if is_near and card.has_picture)
        row, room = self._row(cards)
        in_row = not seen and row_width(row, SMALLEST, parted=True) <= room
        if not in_row:
            room = self._room_beside_undo(view, room + ids.undo.width)
            bare = self._bare(row)
            in_row = not seen and self._slides(bare, room)
            row = bare if in_row else row
        textures = ids.board.textures
        beside_shelf = () if in_row else _beside_shelf(cards, seen, room)
        in_tray = {card.key for card in beside_shelf}
        on_shelf = () if in_row else tuple(card for card in cards if card.key not in in_tray)
        ids.cards.show(row if in_row else beside_shelf, self._board, textures, colour)
        ids.shelf.most_grown = GROWN_BESIDE_LENS if is_near else MOST_GROWN
        ids.shelf.show(on_shelf, self._board, (ids.lens.sharpest if is_near else None) or textures, colour)
        free = room - (row_width(ids.cards.cards) if ids.cards.cards else 0.0)
        free -= self._widen_primary(free)
        self._show_supply(view, free, is_in_row=in_row)
        return every

    def _row(self, cards: tuple[CardView, ...]) -> tuple[tuple[CardView, ...], float]:
        """These cards for a row, and the pixels for it beside the buttons as they are.

        Where they have no room the words of *redo* give way to them, then those below their pictures, last of all those
        of *undo*.
        """
        screen, ids = self._screen, self._screen.ids
        buttons = sum(button.width + ids.buttons.spacing for button in ids.buttons.children)
        primary = screen.primary_width if screen.primary_text else 0
        others = sum(width > 0 for width in (buttons, primary, ids.redo.width))
        between = ids.tray.gaps(3 + others) + scale.unit * 2
        beside = screen.width - 2 * screen.gap - between - buttons - primary - ids.leave.width
        if row_width(cards, SMALLEST) > beside - ids.redo.width - ids.undo.width:
            screen.redo_room = 0
        beside -= ids.redo.width
        if row_width(cards, SMALLEST) > beside - ids.undo.width:
            cards = self._bare_where_wanted(cards, beside)
        is_bare = not screen.is_picking and not ids.undo.has_words_within(ids.undo.width)
        if is_bare or row_width(cards, SMALLEST) > beside - ids.undo.width:
            screen.undo_room = room_for_words(ids.undo, beside, cards)
        return cards, max(0.0, beside - ids.undo.width)

    def _room_beside_undo(self, view: PlayView, room: float) -> float:
        """Pixels of so many that *undo* leaves without a row of choices; its words give way to what lies in rows."""
        screen, undo = self._screen, self._screen.ids.undo
        screen.undo_room = screen.width * UNDO_WIDTH
        if not screen.is_picking and not undo.has_words_within(screen.undo_room):
            screen.undo_room = room_for_words(undo, room, ())
        wanted = row_in_tray_wants(screen.ids, view)
        if wanted <= room - undo.within(0):
            screen.undo_room = min(screen.undo_room, room - wanted)
        return room - float(undo.width)

    def _slides(self, cards: tuple[CardView, ...], room: float) -> bool:
        """Whether cards lie in a row of so many pixels that slides: all have pictures, most are seen there, and the
        rail has no room for all.
        """
        are_pictured = bool(cards) and all(card.faces or card.pieces for card in cards)
        seen = room / row_width(cards, SMALLEST, parted=True) if are_pictured else 0.0
        return seen >= LEAST_SEEN and not has_room_for_shelf(self._screen.ids, cards, self._board)

    def _bare(self, cards: tuple[CardView, ...]) -> tuple[CardView, ...]:
        """These cards without words where their pictures tell all; cards known by a part of them bear their names."""
        return without_words(cards, drawing_of(self._board.game).glances)

    def _bare_where_wanted(self, cards: tuple[CardView, ...], beside: float) -> tuple[CardView, ...]:
        """These cards without words below their pictures, where that alone keeps *undo* its own, or them in a row."""
        undo, bare = self._screen.ids.undo, self._bare(cards)
        wide, narrow = (row_width(each, SMALLEST) for each in (cards, bare))
        keeps_all = narrow <= beside - undo.width
        keeps_word = bool(room_for_words(undo, beside, bare)) and not room_for_words(undo, beside, cards)
        keeps_row = narrow <= beside - undo.within(0) < wide
        return bare if keeps_all or keeps_word or keeps_row else cards

    def _show_supply(self, view: PlayView, room: float, *, is_in_row: bool) -> None:
        """What lies before everybody, at the rail's foot; where that is too low beside the cards of the tray, if there
        is room (pixels).
        """
        screen = self._screen
        colour = next((player.colour for player in view.pointed_out if player.acts), "")
        for strip in (screen.ids.supply, screen.ids.supply_beside):
            strip.board, strip.colour = self._board, colour
            strip.chips = view.supply_beside_rows if view.rows else view.supply
        has_rows = rows_in_tray(screen.ids, view, self._board, colour, room)
        wanted = screen.ids.supply.wanted_width()
        is_here = is_in_row and not has_rows and 0 < wanted <= room - scale.unit * 40
        is_here = is_here and not foot_height(screen.ids, view)
        screen.ids.supply.width = wanted if is_here else 0
        screen.ids.supply.opacity = int(is_here)

    def _fit_primary(self, text: str) -> None:
        """As wide as usual, or as its words need in two lines of the smallest letters."""
        screen = self._screen
        most = min(scale.unit * PRIMARY_WIDTH, screen.width * 0.36)
        usual = min(most, max(scale.unit * SMALLEST_PRIMARY, screen.width * 0.19))
        screen.primary_width = max(usual, primary_widths(screen.ids.primary, text)[0])

    def _widen_primary(self, room: float) -> float:
        """Give the primary button what its words need of the room (pixels) that the tray has left; gives what it took.

        All words in one line, unless that is as wide as MOST_PRIMARY; else two lines of usual letters.
        """
        screen = self._screen
        before = screen.primary_width
        _least, wide, whole = primary_widths(screen.ids.primary, screen.primary_text)
        is_short = whole <= min(before + room, screen.width * MOST_PRIMARY)
        if screen.primary_text:
            screen.primary_width = max(before, min(before + room, whole if is_short else wide))
        return screen.primary_width - before

    def _fit_buttons(self) -> None:
        """As wide as their words, but all of them within the tray."""
        screen = self._screen
        buttons = screen.ids.buttons.children
        undo = scale.touch if screen.is_picking else screen.ids.undo.width
        room = screen.width - 2 * screen.gap - undo - screen.ids.redo.width - screen.primary_width
        fit_buttons(buttons, room - scale.unit * 70)

    def _tray_room(self, view: PlayView, shown: Sequence[ButtonView]) -> float:
        """Pixels of the tray that are left for cards beside a primary button and these others."""
        screen = self._screen
        self._fit_primary("")
        undo = scale.touch if screen.picking.group or view.corrected else screen.ids.undo.width
        redo = screen.ids.redo.width if view.redo else 0
        taken = undo + redo + width_of_buttons(shown) + screen.primary_width
        return screen.width - 2 * screen.gap - taken - scale.unit * 64
