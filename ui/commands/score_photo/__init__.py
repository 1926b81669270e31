"""The sub-command `score-photo`: the final score from one photograph."""
