"""Games that are over or looked back on: score pages, exports, review, a score from a photograph."""
