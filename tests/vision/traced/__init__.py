"""A second renderer of tables, which shares nothing with the simulated table: it knows only what `companion print
--manifest` writes, and traces rays through a lens to solids, shadows and area lamps.
"""
