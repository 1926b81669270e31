"""A table without a screen: what may be done, what is reported, what is asked, composed into view models."""
