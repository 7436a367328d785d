"""Accounts, assets and transfers. Knows nothing of rummy, imports nothing of ours."""
