"""Tables told on a broker: a thread that keeps the connection and lets the tables say what they have to say."""
