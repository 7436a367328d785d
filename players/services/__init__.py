"""Everything that changes a player's profile, limits or inbox."""
