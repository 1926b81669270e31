"""Reads pieces whose printed faces are known.

Evidence is in nats (natural logarithms of likelihood ratios). A constant whose sentence names no measurement or source
was chosen by hand, by reading rendered tables of small seeds (those of the benchmarks were not used).
"""
