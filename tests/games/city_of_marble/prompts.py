"""What prompts promise: words of one -> the kinds of actions that must be legal where it says them."""

PROMISED = {
    "only a pass is left": {"Pass"},
    "end the turn, or go on?": {"EndTurn", "Spend"},
    "end the turn": {"EndTurn"},
    "lay the aqueduct or complete a site": {"Lay", "Complete"},
    "send a magistrate": {"Send"},
    "keep them all": {"Keep"},
}
