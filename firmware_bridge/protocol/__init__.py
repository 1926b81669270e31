"""What a box and its host say to each other on any wire: messages, addresses, edges in order, gestures."""
