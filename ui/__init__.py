"""The companion command and the Kivy app."""

import vision  # noqa: F401  # what it sets in the environment must stand before numpy is imported
