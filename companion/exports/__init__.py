"""What is written for other programs: JSON documents, CSV and the BG Stats link."""
