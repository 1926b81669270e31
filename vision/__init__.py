"""Camera pictures to observations: what lies where on the board, and how sure."""
