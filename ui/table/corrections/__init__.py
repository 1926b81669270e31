"""Questions about the record, and changes of it other than actions: amended entries, undo, repairs. No Kivy."""
