"""Colours for programs, from the tables of forms: a lexer for Pygments, a grammar for editors."""
