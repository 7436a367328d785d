"""Those who run the site: what each of them did, and what all pages of the admin share.

The lowest of the apps: it knows nothing of tournaments, tables, accounts or players.
"""
