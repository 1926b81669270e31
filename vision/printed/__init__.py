"""Reading pieces whose printed faces are known."""
