"""What a page shows as pictures: players' discs, pieces as they lie, what is held, cards; words stand beside each."""

from __future__ import annotations

from collections.abc import Iterable

from companion.board.layout import Board
from ui.drawing.theme import seal_of
from ui.services.text import _, place_name
from ui.view_models.play_view import ChipView
from ui.web.art_files import BoardArt
from ui.web.board_svg import Symbols
from ui.web.markup import Html, element, joined


class Faces:
    """The pictures of one page; nothing where no game is open, or the printed pictures are not there yet."""

    def __init__(self, board: Board | None, art: BoardArt | None, prefix: str = "") -> None:
        self._board, self._art = board, art
        self.symbols = Symbols(board, art, prefix) if board is not None else None

    def definitions(self) -> Html:
        """What stands once on the page for all pictures of it."""
        return self.symbols.definitions() if self.symbols is not None else Html("")

    def laid(self, pieces: Iterable[tuple[str, str]]) -> Html:
        """Pieces as they lie on their spots."""
        faces = self.symbols.laid(pieces) if self.symbols is not None else Html("")
        return element("span", faces, class_="faces", aria_hidden="true") if faces else faces

    def card(self, name: str, text: str) -> Html:
        """The picture of a card, or nothing where it has none; `text` says what it is."""
        file = self._art.card(self._board.game, name) if self._art is not None and self._board is not None else ""
        return element("img", src=f"/art/{file}", alt=text, class_="card-face") if file else Html("")

    def standing_for(self, chips: Iterable[ChipView], colour: str) -> Html:
        """The components that stand for an action, buildings with their heights; nothing where one has no picture."""
        drawn = [(self._picture(chip, colour), chip) for chip in chips]
        if not drawn or not all(picture for picture, _chip in drawn):
            return Html("")
        shown = [joined(picture, str(chip.storeys) if chip.storeys else "") for picture, chip in drawn]
        return element("span", *shown, class_="faces", aria_hidden="true")

    def held(self, chips: Iterable[ChipView], colour: str) -> Html:
        """What is held: each by its face with how many, or in words; kinds that have places keep them at none."""
        return joined(*(self._held(chip, colour) for chip in chips if chip.kind or not chip.is_none))

    def _held(self, chip: ChipView, colour: str) -> Html:
        picture = self._picture(chip, colour)
        if not picture and chip.told:
            name = chip.words.removesuffix(chip.short).strip()
            return joined(
                element("span", name, class_="held-of"),
                *(element("span", kind, element("b", number)) for kind, number in chip.told),
            )
        if not picture:
            return element("span", chip.words)
        told = chip.figure
        if self._board is not None and self.card(chip.kind, chip.kind):  # many look alike when they are small
            told = place_name(self._board.game, chip.kind) + (f" ×{chip.count}" if (chip.count or 0) > 1 else "")
        more = element("sup", f"+{chip.added}") if chip.added else Html("")
        none = "none" if chip.is_none else None
        return element("span", picture, told, more, role="img", aria_label=chip.words, class_=none)

    def _picture(self, chip: ChipView, colour: str) -> Html:
        """The face of a component; a building as a tower of its storeys, with what is on it."""
        if self.symbols is None:
            return Html("")
        if chip.storeys:
            return self.symbols.tower(chip.component, chip.printed, colour, chip.storeys, chip.top)
        return self.symbols.chip(chip.component, chip.printed, colour)

    def seal(self, colour: str) -> Html:
        """The disc of a player of a colour, with the letter that is printed on it."""
        if self._board is None or self.symbols is None:
            return Html("")
        style = seal_of(self._board, colour)
        fill, ink = (f"#{''.join(f'{round(255 * part):02x}' for part in each)}" for each in (style.fill, style.ink))
        disc = joined(
            element("circle", cx="16", cy="16", r="15", fill=fill, stroke=ink),
            element("circle", cx="16", cy="16", r="12", fill="none", stroke=ink),
            element("text", style.letter, x="16", y="21.5", text_anchor="middle", font_size="15", fill=ink),
        )  # fmt: skip
        used = element("use", href=f"#{self.symbols.shape(disc)}")
        return element("svg", used, class_="seal", viewBox="0 0 32 32", role="img", aria_label=_(colour))
