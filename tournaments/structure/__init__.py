"""Tournament structure, pure: who plays whom, who goes on, who is paid, and when what is allowed.

Entrants are whole-number keys given by the caller, best or earliest first. Nothing here knows a
database, a clock or chance: times and drawn orders are arguments.
"""
