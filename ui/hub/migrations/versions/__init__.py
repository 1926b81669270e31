"""One module a step, in order: a new one names the one before as its `down_revision`."""
