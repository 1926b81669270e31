"""How boards and words look: colours, signs and plane figures, without Kivy."""
