"""The oracles: slow and obviously right readings of Core that everything else is compared with."""
