"""The keys of the play screen, by the numbers that Kivy gives them."""

from __future__ import annotations

from companion.session.intents import IntentKind

ENTER, NUMPAD_ENTER, SPACE, TAB, ESCAPE, F1 = 13, 271, 32, 9, 27, 282
KEYS = {
    ENTER: IntentKind.DONE,
    NUMPAD_ENTER: IntentKind.DONE,
    SPACE: IntentKind.DONE,
    ord("n"): IntentKind.NO,
    TAB: IntentKind.NEXT,
    ord("h"): IntentKind.HELP,
    F1: IntentKind.HELP,
}
ZOOM_KEYS = {ord("+"): 1.25, ord("="): 1.25, ord("-"): 0.8}
SPOT_KEYS = {ord("."): 1, ord(","): -1}
CONTROL_KEYS = {ord("z"): IntentKind.UNDO, ord("y"): IntentKind.REDO}
NUMBERED = 9
"""cards that have a key of their own at a time"""
