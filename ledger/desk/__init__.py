"""The operators' pages of the books: balances, statements, corrections, proofs.

Whoever may look at everybody's money sees them; what moves money, freezes an account or reverses an
entry needs the permission for it, a reason, and leaves a line in the audit log.
"""
