"""What prompts promise: words of one -> the kinds of actions that must be legal where it says them."""

PROMISED = {
    "end the turn": {"EndTurn"},
    "close the route": {"Close"},
    "play a second card": {"Play"},
    "play a card": {"Play"},
    "take a second card": {"Take"},
    "drop the route": {"Drop"},
}
