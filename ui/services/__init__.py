"""What every part of the program asks for: words, settings, folders, speech, long work, board files. No Kivy."""
