"""Reading boards spot by spot with what photographs taught."""
