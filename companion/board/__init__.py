"""Board geometry and definitions as data: millimetres, origin top left, x right, y down."""
