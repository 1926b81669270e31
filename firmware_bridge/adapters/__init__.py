"""Records of devices that somebody else made: on which topics they speak and what they mean."""
