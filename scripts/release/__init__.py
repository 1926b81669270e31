"""What is handed out: the Debian package, and the check that everything handed out installs, starts and goes again."""
