"""The person behind a seat: account, preferences, limits he sets himself, and his inbox.

Knows nothing of tournaments, tables or accounts of points; they tell it what to say to whom.
"""
