"""A table without a screen: what may be done, what is told, what is asked, composed into view models."""
