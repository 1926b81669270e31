"""What a picture of the board gives: the final score of a game nobody followed, or a start in the middle of one."""
