"""What a person sees of a model: marked source, the graph, tables, plots of its density."""
