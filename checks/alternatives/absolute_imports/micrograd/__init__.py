"""An engine that keeps floats only, and whose backward() begins with clean gradients."""
