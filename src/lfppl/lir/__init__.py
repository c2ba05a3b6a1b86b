"""The LIR: a model as a short list of array nodes, with cones, colours, checks and printers."""
