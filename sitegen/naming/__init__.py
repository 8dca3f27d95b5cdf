"""How names and headlines are found: tokens, candidates, features, models."""
