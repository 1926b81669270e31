"""The cards from which is chosen: faces with a word below, in a row of the tray or on a shelf beside the board."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from ui.drawing.board_drawing import drawing_of
from ui.table.picking import CardView
from ui.widgets.controls import LEGIBLE, PushButton, extent, lines_of, load_layout, same_children
from ui.widgets.scale import scale

CARD_WIDTH, CARD_HEIGHT, FACE, LABEL = 104, 74, 38, 17
"""design pixels of a card, its faces and its word"""
INSET, GAP = 10, 10
"""design pixels free at both sides of a card's word, and between cards"""
DISC = 26
"""design pixels that the sign of a card without a picture takes from its word"""
FACE_WIDTH, CROWDED_FACE_WIDTH, SEVERAL = 1.25, 0.85, 3
"""how wide a face is by its height, alone or beside another one, and from how many on it is crowded"""
LONGEST_WORD, MOST_LONGER = 190, 1.3
"""design pixels a card's word alone takes at most in one line, and by what in several"""
SMALLEST, SMALLEST_BARE = 0.7, 0.55
"""how small words, and faces without words, of a crowded row may be, as a part of their usual size"""
CROWDED_GAP, CROWDED_INSET, LEAST_LABEL = 4, 5, 12
"""design pixels between the cards of a crowded shelf and beside their words, and dp of the smallest words below faces
that are known by a part of them
"""
EDGE = 5
"""design pixels at each side of a card's word that stay free however long it is"""
MOST_LINES, LINE, LEAST_FACE, AROUND = 2, 1.35, 22, 9
"""of a crowded shelf: lines of a word below a picture, how high a line is by its letters, design pixels of a picture at
least, and above and below
"""
SHELF_GAP, NARROWEST, MOST_GROWN = 8, 0.8, 1.7
"""design pixels between the cards of a shelf, by what they may be narrower than in a row, and higher"""


class Crowd(NamedTuple):
    """Cards laid closely on a shelf: how many columns and rows, how wide each is, the letters of their words (pixels)
    and the lines these take, and how high the shelf is at least.
    """

    columns: int
    rows: int
    wide: float
    label: float
    lines: int
    height: float


class FaceCard(PushButton):
    """A choice, or a group of choices: its faces, and a word below or, without faces, in its middle."""

    key = StringProperty()
    opens = BooleanProperty(False)
    """whether it shows a group of choices"""
    faces = ObjectProperty(())
    pieces = ObjectProperty(())
    label = StringProperty()
    figure = StringProperty()
    count = NumericProperty(0)
    forbidden = BooleanProperty(False)
    selected = BooleanProperty(False)
    board = ObjectProperty(None, allownone=True)
    textures = ObjectProperty(None, allownone=True)
    colour = StringProperty()
    face_height = NumericProperty(40)
    label_size = NumericProperty(0)
    """pixels of the letters of its word, 0 for as large as they may be"""
    label_lines = NumericProperty(1)
    """lines of letters of that size that are kept for its word"""

    def show(self, card: CardView, board: Any, textures: Any, colour: str) -> None:
        """Show a card of the tray."""
        self.key, self.opens, self.label, self.count = card.key, card.opens, card.text, card.count
        self.figure = card.figure
        self.faces, self.pieces, self.forbidden, self.selected = card.faces, card.pieces, card.forbidden, card.selected
        self.board, self.textures, self.colour = board, textures, colour

    @property
    def has_picture(self) -> bool:
        """Whether it has faces."""
        return bool(self.faces or self.pieces)


class TrayCards(BoxLayout):
    """Cards in a row, or on a shelf in as many columns as there is room for. Events: `on_card(card)`, `on_hold(key)`,
    `on_slide(position)`, `on_drop()`.

    `on_hold` tells the choice whose card is under a finger, "" once it is let go; until then `on_slide` tells where the
    finger is (window pixels), and `on_drop`, before `on_hold`, that it is let go.
    """

    __events__ = ("on_card", "on_hold", "on_slide", "on_drop")
    is_shelf = BooleanProperty(False)
    cards = ObjectProperty(())
    """CardView"""
    row = NumericProperty(1)
    """pixels of all cards in a row"""
    most_grown = NumericProperty(MOST_GROWN)
    """how much higher than in a row cards of a shelf may be"""
    gap = NumericProperty(8)
    """pixels between the cards of a shelf"""
    above = NumericProperty(0)
    """pixels above the cards in a row"""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._shown: tuple[Any, ...] = ()
        self._spare: list[FaceCard] = []
        self.bind(size=self._lay_out)
        scale.bind(unit=self._lay_out)

    def on_card(self, card: FaceCard) -> None:
        """A card was touched; for others to bind to."""

    def on_hold(self, key: str) -> None:
        """A finger lies on a card, or has left it; for others to bind to."""

    def on_slide(self, position: tuple[float, float]) -> None:
        """The finger on a card has moved; for others to bind to."""

    def on_drop(self) -> None:
        """The finger on a card is let go; for others to bind to."""

    @property
    def buttons(self) -> list[FaceCard]:
        """The cards in order."""
        return list(reversed(self.ids.grid.children))

    def show(self, cards: tuple[CardView, ...], board: Any, textures: Any, colour: str) -> None:
        """Show these cards."""
        shown = cards, board, textures, colour
        if shown == self._shown:
            return
        is_other = not self._shown or [card.key for card in cards] != [card.key for card in self.cards]
        self._shown, self.cards = shown, cards
        buttons = same_children(self.ids.grid, len(cards), self._card, self._spare)
        for button, card in zip(buttons, cards, strict=True):
            button.show(card, board, textures, colour)
        if is_other:
            self.ids.scroll.scroll_x, self.ids.scroll.scroll_y = 0, 1
        self._lay_out()

    def _card(self) -> FaceCard:
        if self._spare:
            return self._spare.pop()
        card = FaceCard()
        card.bind(on_release=lambda pressed: self.dispatch("on_card", pressed), state=self._held)
        card.bind(on_touch_move=self._slid, on_touch_up=self._dropped)
        return card

    def _slid(self, card: FaceCard, touch: Any) -> None:
        if touch.grab_current is card:
            self.dispatch("on_slide", card.to_window(*touch.pos))

    def _dropped(self, card: FaceCard, touch: Any) -> None:
        if touch.grab_current is card:
            self.dispatch("on_drop")

    def _held(self, card: FaceCard, state: str) -> None:
        self.dispatch("on_hold", card.key if state == "down" and not card.opens else "")

    def _lay_out(self, *_: Any) -> None:
        grid = self.ids.grid
        if not self.cards:
            grid.height, self.row = 0, 1
            return
        height, face = card_sizes(self.cards)
        for button in self.buttons:
            button.face_height, button.label_size, button.label_lines = face, 0, 1
        self.gap = scale.unit * SHELF_GAP
        if not self.is_shelf:
            widths, part = widths_within(self.cards, self.width - 2)
            lines = lines_in_row(self.cards, widths)
            lower = (lines - 1) * max(dp(13), scale.unit * LABEL) * LINE
            for button, width in zip(self.buttons, widths, strict=True):
                button.size = width, min(height, max(scale.touch, self.height))
                button.face_height, button.label_lines = max(dp(14), face * part - lower), lines
            self.above = max(0, (self.height - self.buttons[0].height) / 2)
            self.row = sum(widths) + scale.unit * GAP * (len(widths) - 1) + 1
            return
        crowded = self._crowded(self.width, self.height)
        if crowded is not None:
            self._lay_out_crowded(crowded)
            return
        columns = columns_of(self.cards, self.width)
        rows = -(-len(self.cards) // columns)
        whole = self.width - (scale.unit * SHELF_GAP if self.wanted_height(self.width) > self.height + 1 else 0)
        width = (whole - scale.unit * SHELF_GAP * (columns - 1) - 1) / columns
        # A pixel less, or rounding would make the shelf scroll.
        room = (self.height - 1 - scale.unit * SHELF_GAP * (rows + 1)) / rows
        grown = min(max(height, room), height * self.most_grown) if face else height
        for button in self.buttons:
            button.size, button.face_height = (width, grown), face + grown - height

    def wanted_height(self, width: float) -> float:
        """The height (pixels) of a shelf so wide that shows all cards."""
        return shelf_height(self.cards, width)

    @property
    def are_pictured(self) -> bool:
        """Whether there are cards, and pictures on all of them."""
        return bool(self.cards) and all(card.faces or card.pieces for card in self.cards)

    @property
    def _are_glances(self) -> bool:
        """Whether all cards have faces that are known by a part of them."""
        board = self._shown[1] if self._shown else None
        return board is not None and are_known_by_a_part(self.cards, board.game)

    def least_height(self, width: float) -> float:
        """The height (pixels) of a shelf so wide that shows all cards as small as they may be."""
        wanted = self.wanted_height(width)
        return min((crowd.height for crowd in self._crowds(width)), default=wanted) if self.cards else wanted

    def _crowds(self, width: float) -> Iterator[Crowd]:
        """The ways to lay the cards closely on a shelf so wide (pixels), those of fewer columns first."""
        are_glances, gap = self._are_glances, scale.unit * CROWDED_GAP
        if not self.are_pictured:
            return
        for columns in range(columns_of(self.cards, width), len(self.cards) + 1):
            crowd = crowd_of(self.cards, columns, (width - gap * (columns - 1) - 1) / columns, are_glances=are_glances)
            if crowd is None:
                return  # more columns are narrower
            yield crowd

    def _crowded(self, width: float, room: float) -> Crowd | None:
        """How all cards are laid in a room (pixels) that is too low for them otherwise; None where they cannot be."""
        if self.wanted_height(width) <= room + 1:
            return None
        return next((crowd for crowd in self._crowds(width) if crowd.height <= room + 1), None)

    def _lay_out_crowded(self, crowd: Crowd) -> None:
        self.gap = gap = scale.unit * CROWDED_GAP
        high = (self.height - 1 - gap * (crowd.rows + 1)) / crowd.rows
        if not self._are_glances:
            high = min(high, card_sizes(self.cards)[0] * self.most_grown)
        below = crowd.label * LINE * crowd.lines + scale.unit * AROUND
        for button in self.buttons:
            button.size, button.label_size, button.label_lines = (crowd.wide, high), crowd.label, crowd.lines
            button.face_height = max(dp(14), high - below)


def columns_of(cards: Sequence[CardView], width: float) -> int:
    """In how many columns these cards lie on a shelf so wide (pixels)."""
    gap, most = scale.unit * SHELF_GAP, scale.unit * (LONGEST_WORD * MOST_LONGER + 2 * INSET)
    least = min(most, max(card_widths(cards))) * NARROWEST
    return max(1, min(len(cards), int((width + gap) // (least + gap))))


def shelf_height(cards: Sequence[CardView], width: float) -> float:
    """The height (pixels) of a shelf so wide that shows all these cards."""
    if not cards:
        return 0.0
    rows = -(-len(cards) // columns_of(cards, width))
    return rows * (card_sizes(cards)[0] + scale.unit * SHELF_GAP) + scale.unit * SHELF_GAP


def are_known_by_a_part(cards: Sequence[CardView], game_id: str) -> bool:
    """Whether all these cards have faces that are known by a part of them."""
    glances = drawing_of(game_id).glances
    return bool(cards) and all(card.faces and card.faces[0].component in glances for card in cards)


def are_labelled(cards: Sequence[CardView]) -> bool:
    """Whether any of these cards has words."""
    return any(card.text for card in cards)


def without_words(cards: Sequence[CardView], named: Container[str] = ()) -> tuple[CardView, ...]:
    """The same cards without the words below their pictures; with them where pictures do not tell the cards apart, as
    those of `named` components do not, or what they open, or a figure stands for one.
    """
    worded = [any(map(str.isalpha, card.text)) for card in cards]
    pictured = [bool(card.faces or card.pieces) for card in cards]
    told = [
        (
            tuple((face.component, face.kind, face.count, face.storeys, face.top) for face in card.faces),
            tuple(piece.label for piece in card.pieces),
            (card.forbidden, "" if has_words else card.text),
        )
        for card, has_words, has_picture in zip(cards, worded, pictured, strict=True)
        if has_picture
    ]
    opening = (card for card in cards if card.opens and not card.forbidden)
    needed = any(card.figure for card in cards) or not all(card.is_told_by_face for card in opening)
    needed = needed or any(face.component in named for card in cards for face in card.faces)
    if needed or len(set(told)) < len(told):
        return tuple(cards)
    both = zip(cards, worded, pictured, strict=True)
    return tuple(replace(card, text="") if all(found) else card for card, *found in both)


def card_sizes(cards: Sequence[CardView]) -> tuple[float, float]:
    """The height (pixels) of these cards, and of the faces on them."""
    if any(card.faces or card.pieces for card in cards):
        label = max(dp(13), scale.unit * LABEL) * 1.35 if are_labelled(cards) else 0.0
        height = max(scale.touch, scale.unit * CARD_HEIGHT)
        return height, max(dp(20), height - label - scale.unit * 14)
    return max(scale.touch, scale.unit * 56), 0.0


def crowd_of(cards: Sequence[CardView], columns: int, wide: float, *, are_glances: bool) -> Crowd | None:
    """These cards laid closely, each so wide (pixels); None where their words have no room. `are_glances` are cards
    with faces that are known by a part of them: their words may be smaller than others, in one line.
    """
    usual, label = max(dp(13), scale.unit * LABEL), common_label_size(cards, wide)
    least = dp(LEAST_LABEL) if are_glances else max(min(usual, dp(LEGIBLE)), usual * SMALLEST)
    if wide < scale.touch or label < least:
        return None
    lines, high = 1, scale.touch
    if not are_glances:
        inside = wide - 2 * scale.unit * CROWDED_INSET
        label = label if _most_lines(cards, label, inside) <= MOST_LINES else least
        lines = _most_lines(cards, label, inside)
        high = max(high, scale.unit * LEAST_FACE + label * LINE * lines + scale.unit * AROUND)
        if lines > MOST_LINES:
            return None
    rows = -(-len(cards) // columns)
    gap = scale.unit * CROWDED_GAP
    return Crowd(columns, rows, wide, label, lines, rows * (high + gap) + gap + 2)


def _most_lines(cards: Sequence[CardView], size: float, width: float) -> int:
    return max(lines_of(card.text, size, width, bold=True) if card.text else 1 for card in cards)


def common_label_size(cards: Sequence[CardView], width: float) -> float:
    """The size (pixels) of letters with which the words of all these cards fit into so wide ones."""
    size = max(dp(13), scale.unit * LABEL)
    words = (word for card in cards for word in card.text.split())
    widest = max((extent(word, size, True)[0] for word in words), default=1.0)
    return float(min(size, size * (width - 2 * scale.unit * CROWDED_INSET) / widest))


def card_widths(cards: Sequence[CardView], smallest: float = 1.0, *, parted: bool = False) -> tuple[float, ...]:
    """How wide (pixels) each of these cards is in a row, with words as small as `smallest`, or `parted` in two lines
    below their pictures; without words and less than 1.0 with faces as small as they may be.
    """
    height, face = card_sizes(cards)
    size = max(dp(13), scale.unit * LABEL)
    letters = max(size * smallest, min(size, dp(LEGIBLE)))
    longest = scale.unit * LONGEST_WORD * letters / size
    face *= 1.0 if smallest == 1.0 else least_part_of_faces(cards)
    widths = []
    for card in cards:
        pictures = len(card.faces or card.pieces)
        word = extent(card.text, size if card.figure else letters, True)[0] if card.text else 0.0
        if pictures and parted:
            word = _width_in_two_lines(card.text, letters)
        if not pictures and not card.figure and word > longest:
            word = min(max(longest, word / 2 + scale.unit * 24), longest * MOST_LONGER)
        if card.forbidden and not pictures and smallest == 1.0:
            word += scale.unit * DISC  # its cross stands beside the word
        faces = pictures * face * (FACE_WIDTH if pictures < SEVERAL else CROWDED_FACE_WIDTH)
        widths.append(max(scale.touch, height * 0.8, word + scale.unit * 2 * INSET, faces + scale.unit * 12))
    return tuple(widths)


@lru_cache(maxsize=256)
def _width_in_two_lines(text: str, size: float) -> float:
    """How wide (pixels) a text is at least that is parted between two of its words."""
    words = text.split()
    parts = [(" ".join(words[:count]), " ".join(words[count:])) for count in range(1, len(words))] or [(text, "")]
    return min(max(extent(part, size, True)[0] if part else 0.0 for part in pair) for pair in parts)


def widths_within(cards: Sequence[CardView], room: float) -> tuple[tuple[float, ...], float]:
    """How wide (pixels) each of these cards is in a row that takes of a room what it needs, and how large their faces
    are, as a part of the usual size.
    """
    usual, small = card_widths(cards), card_widths(cards, SMALLEST)
    least_face, has_room = least_part_of_faces(cards), row_width(cards, SMALLEST) <= room
    large, least = (usual, small) if has_room else (small, card_widths(cards, SMALLEST, parted=True))
    saved = sum(large) - sum(least)
    left = room - sum(least) - scale.unit * GAP * (len(least) - 1)
    part = min(1.0, max(0.0, left / saved)) if saved > 0 else 1.0
    widths = tuple(narrow + (wide - narrow) * part for narrow, wide in zip(least, large, strict=True))
    return widths, least_face + (1.0 - least_face) * part if has_room else least_face


def lines_in_row(cards: Sequence[CardView], widths: Sequence[float]) -> float:
    """How many usual lines the words below the pictures of these cards take, each so wide (pixels): one, or what two
    lines of letters as small as they may be take.
    """
    size = max(dp(13), scale.unit * LABEL)
    least = max(size * SMALLEST, min(size, dp(LEGIBLE)))
    parted = any(
        extent(card.text, least, True)[0] > width - scale.unit * 2 * EDGE
        for card, width in zip(cards, widths, strict=True)
        if card.text and (card.faces or card.pieces)
    )
    return 2 * least / size if parted else 1.0


def least_part_of_faces(cards: Sequence[CardView]) -> float:
    """How small the faces of these cards may be in a row, as a part of their usual size."""
    return 1.0 if are_labelled(cards) else SMALLEST_BARE


def row_width(cards: Sequence[CardView], smallest: float = 1.0, *, parted: bool = False) -> float:
    """How wide (pixels) a row of these cards is, with words as small as `smallest`, or `parted` in two lines."""
    return sum(card_widths(cards, smallest, parted=parted)) + scale.unit * GAP * max(0, len(cards) - 1)


load_layout(__file__)
