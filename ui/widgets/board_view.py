"""The board on the screen: the printed sheet with its pieces and marks; zoomed and moved by fingers; maps touches to
sites.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, MatrixInstruction, PopMatrix, PushMatrix, Rectangle
from kivy.graphics.stencil_instructions import StencilPop, StencilPush, StencilUnUse, StencilUse
from kivy.graphics.transformation import Matrix
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.board.layout import Board
from companion.errors import CompanionError
from ui.drawing import theme
from ui.drawing.board_frame import (
    BoardFrame,
    Box,
    fitted,
    held,
    moved_by,
    nearer,
    nearest_site,
    seen_part,
    shown_part,
    site_centre,
    site_places,
)
from ui.drawing.faces import outline_of
from ui.drawing.marks import DISC
from ui.drawing.shapes import contains
from ui.printed.numbers import number_centres
from ui.printed.pictures import BoardPictures, Wanted, board_pictures
from ui.printed.scene import Looks, Shown, compose_scene
from ui.services.background import Background
from ui.services.graphics import has_graphics_processor
from ui.view_models.play_view import PathView, PieceView, PlaceView, VerdictView
from ui.widgets import board_textures
from ui.widgets.pieces_moving import PiecesMoving
from ui.widgets.scene_painting import BoardTextures, paint_brackets, paint_scene, paint_shadow, paint_sheet, uploaded

SNAP = 24
"""how far (dp) from a site a touch still means it"""
HOLD = 0.35
"""seconds after which a finger that rests on a site holds it"""
DRAG = 12
"""how far (dp) a finger may stray and still have tapped"""
STEP = 1.25
"""zoom factor of one notch of a wheel or one press of a key"""
CLOSE = 2.0
"""zoom factor of one press of a button"""
SHARPENED_AFTER = 0.15
"""seconds after the last move of a finger or wheel until the board is drawn anew in its new size"""
MOST_IN_SOFTWARE = 3_000_000
"""pixels of a board from which it is drawn from pictures of half the size where the processor draws"""
LOOKS_A_SECOND = 30
"""how often it is looked whether pictures are ready, while they are waited for"""

_log = logging.getLogger("companion.screen")


class BoardView(Widget):
    """Draws one of a board's sheets with its printed art, until that is there in its size with what is at hand.

    While it is moved, what was drawn is moved as a whole. Events: `on_site(name)`, `on_place(number)` for one of the
    numbered places, 0 for the ghost; `on_hold(name)` when a finger rests on a site, then `on_let_go(name, is_meant)`,
    false where the finger has strayed.
    """

    __events__ = ("on_site", "on_place", "on_hold", "on_let_go")
    board = ObjectProperty(None, allownone=True)
    sheet = NumericProperty(0)
    """which of the board's sheets is shown"""
    aspect = NumericProperty(1.0)
    """width by height of what is shown"""
    is_near = BooleanProperty(False)
    """whether only a part of the sheet is shown"""
    is_printed = BooleanProperty(False)
    """whether the printed art is there in the size in which the board is drawn"""
    textures = ObjectProperty(None, allownone=True)
    """the pictures of the whole sheet and of all faces (BoardTextures), once they are there"""
    is_seen = BooleanProperty(False)
    """whether a camera sees the board"""
    is_lively = BooleanProperty(False)
    """whether pieces are seen to come, to go and to move"""
    can_be_held = BooleanProperty(False)
    """whether a finger that rests on a site holds it, instead of touching it when it leaves"""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.frame = BoardFrame(1.0, (0.0, 0.0))
        """where the sheet lies now"""
        self._drawn_frame = self.frame
        self.showing = Shown()
        self._places: dict[str, Any] = {}
        self._part: Box = (0.0, 0.0, 1.0, 1.0)
        self._ground, self._sheet = InstructionGroup(), InstructionGroup()
        self._scene, self._moving, self._brackets = InstructionGroup(), PiecesMoving(), InstructionGroup()
        self._clips = Rectangle(), Rectangle()
        self._transform = MatrixInstruction()
        self._textures: dict[bool, BoardTextures] = {}
        """by whether they show a part only"""
        self._work: Background[tuple[Board, bool, BoardPictures]] = Background()
        self._wanted: dict[bool, Wanted] = {}
        self._had: dict[bool, Wanted] = {}
        self._fingers: list[Any] = []
        self._held = ""
        self._hold = Clock.create_trigger(self._hold_site, HOLD)
        self._is_gesture = False
        self._is_stale = True
        self._redraw = Clock.create_trigger(self._draw_all, 0)
        self._sharpen = Clock.create_trigger(self._draw_all, SHARPENED_AFTER)
        self._look = Clock.create_trigger(self._take_pictures, 1 / LOOKS_A_SECOND)
        self.bind(pos=self._on_moved, size=self._on_moved, board=self._on_new_board, sheet=self._on_new_board)
        self.bind(is_seen=self._draw_brackets)
        if self.board is not None:
            self._on_new_board()

    @property
    def shown(self) -> Board:
        """The sheet that is shown."""
        sheet: Board = self.board.sheets[int(self.sheet)]
        return sheet

    def show(
        self,
        pieces: tuple[PieceView, ...],
        legal: Iterable[str],
        verdict: VerdictView | None,
        ghost: tuple[PieceView, ...] = (),
        places: tuple[PlaceView, ...] = (),
        path: PathView | None = None,
    ) -> None:
        """Show the pieces that lie on this sheet; mark the possible sites, those of the verdict, the ghost of what is
        looked at, the other places for it and the path that is being laid.
        """
        shown = Shown(pieces, frozenset(legal), verdict, ghost, places, path)
        if shown != self.showing:
            before, self.showing = self.showing, shown
            if self._is_stale:
                self._redraw()
            else:
                if self.is_lively:
                    self._moving.begin(self.shown, before.pieces, shown.pieces, self._draw_scene)
                self._draw_scene()

    @property
    def sharpest(self) -> BoardTextures | None:
        """The pictures in which it is drawn now; None until there are any."""
        return self._textures.get(True) or self._textures.get(False)

    def site_at(self, position: tuple[float, float]) -> str | None:
        """The site nearest to a window position, within reach of a fingertip."""
        return nearest_site(self._places, self.frame.millimetres(position), dp(SNAP) / self.frame.scale)

    def in_reading_order(self, sites: Iterable[str]) -> tuple[str, ...]:
        """Those of these sites that lie on the sheet, from top to bottom and from left to right."""
        places = {site: self._places[site][0] for site in sites if site in self._places}
        return tuple(sorted(places, key=lambda site: (round(places[site][1]), places[site][0])))

    def middle_of(self, spots: Iterable[str]) -> tuple[float, float] | None:
        """The window position in the middle of spots of this sheet; None where none of them lies on it."""
        places = [self.shown.spots[spot].centre for spot in spots if spot in self.shown.spots]
        if not places:
            return None
        return self.frame.pixel((sum(x for x, _y in places) / len(places), sum(y for _x, y in places) / len(places)))

    def nearer(self, factor: float = CLOSE, site: str = "") -> None:
        """Zoom in on a site of this sheet, or around what is in the middle; a factor below 1 zooms out."""
        looked_at = site_centre(self.shown, site) if site else None
        if looked_at is None:
            self._place(nearer(self.frame, self.center, factor))
            return
        step = self.frame.scale * factor
        self._place(BoardFrame(step, (self.center_x - looked_at[0] * step, self.center_y + looked_at[1] * step)))

    def whole(self) -> None:
        """Show the whole sheet."""
        self._place(fitted(self._part, self._window()))

    def on_site(self, site: str) -> None:
        """A site was touched; for others to bind to."""

    def on_place(self, number: int) -> None:
        """A numbered place was touched, or the ghost; for others to bind to."""

    def on_hold(self, site: str) -> None:
        """A finger rests on a site; for others to bind to."""

    def on_let_go(self, site: str, is_meant: bool) -> None:
        """The finger has left the site that it held; for others to bind to."""

    def _hold_site(self, *_: Any) -> None:
        if not self.can_be_held or len(self._fingers) != 1 or not self._is_tap(self._fingers[0]):
            return
        position = self._fingers[0].pos
        site = self.site_at(position) if self._place_at(position) is None else None
        if site is not None:
            self._held = site
            self.dispatch("on_hold", site)

    def _is_tap(self, touch: Any) -> bool:
        """Whether a finger is where it came down."""
        return not self._is_gesture and math.dist(touch.pos, touch.opos) <= dp(DRAG)

    def _place_at(self, position: tuple[float, float]) -> int | None:
        """The number of the place under a finger, 0 for the ghost; None where there is none."""
        point, shown = self.frame.millimetres(position), self.shown
        ghosts = [shown.spots[piece.spot] for piece in self.showing.ghost if piece.spot in shown.spots]
        middle = ghosts[0].centre if ghosts else None
        places = self.showing.places
        centres = number_centres(places, middle, dp(DISC) / self.frame.scale)
        reach = {place.number: math.dist(centre, point) for place, centre in zip(places, centres, strict=True)}
        nearest = min(reach, key=reach.__getitem__, default=0)
        if nearest and reach[nearest] * self.frame.scale <= dp(DISC * 1.4):
            return nearest
        if any(contains(outline_of(shown, spot), point) for spot in ghosts):
            return 0
        return next((place.number for place in self.showing.places if contains(place.outline, point)), None)

    def on_touch_down(self, touch: Any) -> bool:
        """Begin a touch on the board, or turn the wheel over it."""
        if self.board is None or not self.collide_point(*touch.pos):
            return False
        if touch.is_mouse_scrolling:
            self._place(nearer(self.frame, touch.pos, STEP if touch.button == "scrolldown" else 1 / STEP))
            return True
        touch.grab(self)
        self._fingers.append(touch)
        self._hold.cancel()
        self._hold()
        return True

    def on_touch_move(self, touch: Any) -> bool:
        """One finger moves a zoomed board, two fingers zoom it."""
        if touch.grab_current is not self or touch not in self._fingers:
            return False
        if len(self._fingers) > 1:
            self._is_gesture = True
            one, two = self._fingers[:2]
            before = math.dist(one.ppos if touch is one else one.pos, two.ppos if touch is two else two.pos)
            now = math.dist(one.pos, two.pos)
            middle = (one.x + two.x) / 2, (one.y + two.y) / 2
            frame = moved_by(self.frame, touch.dx / 2, touch.dy / 2)
            self._place(nearer(frame, middle, now / before if before > 1 else 1.0))
        elif self._is_gesture or math.dist(touch.pos, touch.opos) > dp(DRAG):
            self._is_gesture = self._is_gesture or self.is_near
            if self._is_gesture:
                self._place(moved_by(self.frame, touch.dx, touch.dy))
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """End a touch: unless the board was moved, report the site under the finger."""
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        if touch in self._fingers:
            self._fingers.remove(touch)
        self._hold.cancel()
        if self._held:
            held, self._held = self._held, ""
            self.dispatch("on_let_go", held, self._is_tap(touch) and not self._fingers)
            self._is_gesture = self._is_gesture and bool(self._fingers)
            return True
        was_gesture, self._is_gesture = self._is_gesture, self._is_gesture and bool(self._fingers)
        place = None if was_gesture else self._place_at(touch.pos)
        if place is not None:
            self.dispatch("on_place", place)
            return True
        site = None if was_gesture else self.site_at(touch.pos)
        if site is not None:
            self.dispatch("on_site", site)
        return True

    def _window(self) -> Box:
        # Kivy's own `right` and `top` may still be the old ones while a size is announced.
        return self.x, self.y, self.x + self.width, self.y + self.height

    def _place(self, frame: BoardFrame) -> None:
        """Move what is drawn to where the frame is now; it is drawn sharply a moment later."""
        self.frame = held(frame, self._part, self._window())
        self.is_near = self.frame.scale > fitted(self._part, self._window()).scale * 1.001
        self._move_drawn()
        self._sharpen.cancel()
        self._sharpen()

    def _move_drawn(self) -> None:
        drawn, now = self._drawn_frame, self.frame
        factor = now.scale / drawn.scale
        matrix = Matrix().scale(factor, factor, 1)
        shift = (now.origin[0] - factor * drawn.origin[0], now.origin[1] - factor * drawn.origin[1])
        self._transform.matrix = Matrix().translate(*shift, 0).multiply(matrix)
        self._brackets.clear()
        self.canvas.ask_update()

    def _on_new_board(self, *_: Any) -> None:
        self.canvas.clear()
        self._moving.end()
        self._textures.clear()
        self.textures = None
        self._had.clear()
        board = self.shown
        self._places = dict(site_places(board))
        left, top, right, bottom = self._part = shown_part(board)
        self.aspect = (right - left) / (bottom - top)
        for instruction in (
            self._ground, StencilPush(), self._clips[0], StencilUse(), PushMatrix(), self._transform, self._sheet,
            self._scene, self._moving.group, PopMatrix(), StencilUnUse(), self._clips[1], StencilPop(), self._brackets,
        ):  # fmt: skip
            self.canvas.add(instruction)
        self._on_moved()

    def come_into_sight(self) -> None:
        """Draw what could not be drawn as long as no window showed it."""
        if self._is_stale:
            self._redraw()

    def _on_moved(self, *_: Any) -> None:
        for clip in self._clips:
            clip.pos, clip.size = self.pos, self.size
        if self.board is not None:
            self.frame, self.is_near = fitted(self._part, self._window()), False
            self._ground.clear()
            self._move_drawn()
        self._is_stale = True
        self._redraw()

    def _draw_all(self, *_: Any) -> None:
        self._is_stale = self.board is None or self.get_root_window() is None or min(self.size) < 2
        if self._is_stale:
            return
        self._drawn_frame = self.frame
        self._transform.matrix = Matrix()
        self._moving.end()
        if False not in self._textures and (found := board_textures.at_hand(self.shown, dimmed=theme.is_dark)):
            self._textures[False] = self.textures = found
        self._want_pictures()
        self._draw_sheet()
        self._draw_scene()
        self._draw_brackets()

    def _want_pictures(self) -> None:
        """Ask for the pictures in which the board is drawn now, whole and, where it is near, of what is seen of it."""
        whole = fitted(self._part, self._window())
        dimmed = theme.is_dark
        width, height = (self._part[2] - self._part[0]) * whole.scale, (self._part[3] - self._part[1]) * whole.scale
        coarse = width * height > MOST_IN_SOFTWARE and not has_graphics_processor()
        self._wanted = {False: Wanted(whole.scale * (0.5 if coarse else 1.0), self._part, dimmed)}
        if self.is_near:
            seen = seen_part(self._drawn_frame, self._part, self._window())
            self._wanted[True] = Wanted(self._drawn_frame.scale, seen, dimmed)
        else:
            self._textures.pop(True, None)
            self._had.pop(True, None)
        self._begin_pictures()

    def _begin_pictures(self) -> None:
        missing = [near for near, wanted in self._wanted.items() if self._had.get(near) != wanted]
        self.is_printed = not missing
        if missing and not self._work.busy:
            near, board = missing[0], self.shown
            self._had[near] = self._wanted[near]
            self._work.start(partial(_pictures, board, near, self._wanted[near]))
        if self._work.busy:
            self.is_printed = False
            self._look()

    def _take_pictures(self, *_: Any) -> None:
        """Upload pictures that are ready."""
        try:
            made = self._work.poll()
        except (CompanionError, OSError) as error:
            _log.error("%s", error)
            return
        if made is not None and self.board is not None and made[0] is self.shown:
            self._textures[made[1]] = uploaded(made[2])
            if not made[1]:
                board_textures.keep(self.shown, self._textures[False], dimmed=theme.is_dark)
            self.textures = self._textures.get(False)
            if not self._is_stale:
                self._draw_sheet()
                self._draw_scene()
        self._begin_pictures()

    def _draw_sheet(self) -> None:
        left, top, right, bottom = self._part
        (x, high), (end, low) = self._drawn_frame.pixel((left, top)), self._drawn_frame.pixel((right, bottom))
        self._ground.clear()
        if not self.is_near:
            paint_shadow(self._ground, (x, low, end, high))
        self._sheet.clear()
        if False not in self._textures:
            self._sheet.add(Color(*theme.SHEET))
            self._sheet.add(Rectangle(pos=(x, low), size=(end - x, high - low)))
        for near in sorted(self._textures):
            paint_sheet(self._sheet, self._textures[near], self._drawn_frame)

    def _draw_scene(self) -> None:
        textures = self.sharpest
        looks = Looks(self._drawn_frame, textures.pictures if textures is not None else None, dp(1))
        self._scene.clear()
        atlas = textures.atlas if textures is not None else None
        showing = replace(self.showing, pieces=self._moving.resting(self.showing.pieces))
        paint_scene(self._scene, compose_scene(self.shown, looks, showing), atlas)
        self._moving.draw(looks, atlas)
        self.canvas.ask_update()

    def _draw_brackets(self, *_: Any) -> None:
        self._brackets.clear()
        if self.is_seen and not self.is_near and not self._is_stale:
            left, top, right, bottom = self._part
            (x, high), (end, low) = self._drawn_frame.pixel((left, top)), self._drawn_frame.pixel((right, bottom))
            paint_brackets(self._brackets, (x, low, end, high), theme.OK)
        self.canvas.ask_update()


def _pictures(board: Board, near: bool, wanted: Wanted) -> tuple[Board, bool, BoardPictures]:
    return board, near, board_pictures(board, wanted)


def is_site(board: Board, name: str) -> bool:
    """Whether a board has a site of this name."""
    return site_centre(board, name) is not None
