"""What is read from, and written to, the files and streams of a process."""
