"""Parts of screens. Modules that draw are built on Kivy; the arithmetic of boards and shapes is not."""
