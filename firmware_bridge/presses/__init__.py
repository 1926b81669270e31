"""From edges, gestures and words to presses with a seat and an intent."""
