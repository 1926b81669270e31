"""Drawing in millimetres: pages, shapes, colours, signs."""
