"""What templates say of the ledger."""
