"""The report of runs: their figures as tables and plots, and every question with its answers, in one file."""
