"""Questions about the record and changes of it beside playing: amended entries, undo, repairs. No Kivy."""
