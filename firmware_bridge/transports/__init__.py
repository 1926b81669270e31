"""What carries messages between host and boxes, whichever the wire: the interface, one in memory, how often to try."""
