"""Data sets, metrics, statistics, runner."""
