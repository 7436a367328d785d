"""The control room: a running tournament at a glance, and what its staff can do about it.

Every deed is one service, foretold first and confirmed with a reason, with a line in the audit log.
"""
