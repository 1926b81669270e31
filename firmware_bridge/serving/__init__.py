"""The threads that serve boxes and listen to devices, and what they keep of each."""
