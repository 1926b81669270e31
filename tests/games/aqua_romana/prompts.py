"""What prompts promise: words of one -> the kinds of actions that must be legal where it says them."""

PROMISED = {
    "end the turn": {"EndTurn"},
    "close an aqueduct?": {"Close"},
    "close one of your aqueducts": {"Close"},
    "just end it": {"EndTurn"},
    "lay a tile": {"Build"},
    "move any builder": {"Move"},
}
