"""What prompts promise: words of one -> the kinds of actions that must be legal where it says them."""

PROMISED = {
    "play a card": {"PlayForNothing"},
    "or pass": {"Pass"},
    "turn over the cards": {"Reveal"},
    "one by one": {"Reveal"},
    "turn over the senator": {"TurnSenator"},
}
