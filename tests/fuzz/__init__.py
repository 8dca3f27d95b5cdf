"""Random and coverage-guided input for everything that reads what others wrote."""
