"""The companion command and the Kivy app."""

import vision  # noqa: F401  # what it sets in the environment must be set before numpy is imported
