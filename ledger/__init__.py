"""The ledger: accounts, transfers and money arithmetic; it knows nothing of rummy."""
