"""What a picture itself does to every surface in it: noise and blur."""
