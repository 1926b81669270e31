"""What tables show during evenings of random gestures, as text that people can read: one file for each game."""
