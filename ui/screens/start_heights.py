"""How high the parts of the start screen are, in pixels. No Kivy.

`size` is the window's (width, height) in pixels, `unit` pixels of a design pixel, `touch` of the least that a finger
hits, `gap` between parts.
"""

from __future__ import annotations

Size = tuple[float, float]

LINE = 48
"""design pixels of a row of small buttons"""
LOWEST_CARD, WITH_PICTURE = 200, 236
"""design pixels in which a card's title in two lines, its time and its button stand, and a picture above these"""


def is_upright(size: Size) -> bool:
    """Whether the window is higher than wide: cards and steps lie below each other, else beside each other."""
    width, height = size
    return height > width


def steps(size: Size, unit: float, touch: float, gap: float, *, is_slim: bool) -> float:
    """The three steps to a first game."""
    if is_upright(size):
        return 3 * unit * (62 if is_slim else 76) + 2 * gap
    return max(touch, unit * 104)


def hero(size: Size, unit: float, words: float, *, is_slim: bool) -> float:
    """The unfinished game's card in an upright window, as high as its words where that is slim; beside the other card
    it is as high as their row, which is none of its own: 0.
    """
    if not is_upright(size):
        return 0
    return words + 4 if is_slim else unit * 330


def again(size: Size, unit: float, *, is_slim: bool) -> float:
    """The finished game's card, likewise."""
    if not is_upright(size):
        return 0
    return unit * (170 if is_slim else 230)


def tables(size: Size, unit: float, cards: tuple[float, float], gap: float, below: float, *, is_lower: bool) -> float:
    """Both cards: below each other as high as they are, beside each other what is left of the window. `below` are
    pixels of other unfinished games, `is_lower` says that an assigned game stands above.
    """
    if is_upright(size):
        return sum(cards) + gap
    left = size[1] - unit * (592 if is_lower else 508) - below
    least = WITH_PICTURE if size[1] > unit * 620 else LOWEST_CARD
    return max(unit * least, min(unit * 344, left))


def title(text_width: float, width: float, one: float, two: float) -> float:
    """A title of one line where that holds it in letters a fifth smaller, else of two; pixels of both."""
    return one if text_width * 0.8 < width else two


def points(text_width: float, width: float, line: float) -> float:
    """The points of all players in one line or two; `text_width` in letters a fifth smaller."""
    return line if text_width < width else 2 * line


def go_on(height: float, unit: float, touch: float) -> float:
    """The button to go on, lower in a low window."""
    return max(touch, unit * (72 if height > unit * 640 else 58))


def again_picture(card: float, unit: float, *, is_beside: bool) -> float | None:
    """The share of the finished game's card, `card` pixels high, that its picture has: all where it is beside the
    words, none (None) where the card is too low for one above them.
    """
    if is_beside:
        return 1
    return 0.75 if card >= unit * WITH_PICTURE else None


def lines(height: float, line: float) -> int:
    """How many lines of a text are shown in a height, of two."""
    return min(2, int(height / line))


def new_game(unit: float, touch: float, gap: float, *, is_slim: bool, has_languages: bool) -> float:
    """The heading of the covers and the languages, which have a row of their own in a slim window."""
    line = max(touch, unit * LINE)
    if not is_slim:
        return line
    return line * (2 if has_languages else 1) + 2 * gap


def cover(size: Size, unit: float, touch: float, gap: float, around: float, *, is_first: bool) -> float:
    """A cover. The first time covers fill what the steps and the menu, `around`, leave of the window: in two rows where
    it is upright; later they are low below the cards.
    """
    height = size[1]
    if is_first:
        rows = 2 if is_upright(size) else 1
        left = height - around - unit * (62 + 32 + 5 * 12) - 2 * max(touch, unit * LINE) - (rows - 1) * gap
        return max(unit * 120, min(unit * 330, left / rows))
    if size[0] > height:
        return max(unit * 130, min(unit * 190, height * (0.24 if height > unit * 640 else 0.21)))
    return unit * 170
