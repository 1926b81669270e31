"""What prompts promise: words of one -> the kinds of actions that must be legal where it says them."""

PROMISED = {"move one of your pieces": {"Move"}}
