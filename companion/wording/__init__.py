"""Words for people: a game's sentences, the guide to its rules, device sentences, forgiving spelling."""
