"""Results: draws as a fit, with summary, diagnostics, warnings and a DataTree for ArviZ."""
