"""Programs whose posteriors are known exactly."""
