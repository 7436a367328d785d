"""What an organiser does to a whole tournament: each step with its consequences and a reason."""
