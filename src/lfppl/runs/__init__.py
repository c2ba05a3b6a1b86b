"""Runs: chains in segments over any executor, with progress, checkpoints and predictions."""
