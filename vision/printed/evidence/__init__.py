"""From samples to the probabilities of spots: the evidence for each label, and which pieces explain it together."""
