"""A tiny engine for derivatives: `engine` holds `Value`, `functions` and `graph` work on it."""
