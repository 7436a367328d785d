"""The payout audit of one tournament: what came in, who got what by which rule, what is wrong.

Reads the tournament's rows and the ledger's transfers, and holds one against the other; changes
nothing. A fixed number of queries for any number of entrants.
"""

from tournaments.payout_audit.report import Report, report_of

__all__ = ["Report", "report_of"]
