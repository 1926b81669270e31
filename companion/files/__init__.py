"""Reading and writing files: untrusted TOML and JSON, files written whole or not at all, locks."""
