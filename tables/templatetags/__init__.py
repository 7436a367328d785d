"""What templates say of tables."""
