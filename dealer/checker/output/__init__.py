"""The results of a check for people, scripts and graders."""
