"""The yardstick inside the measured server: an application with a socket that does next to nothing.

`/ws/bare/<group>/` takes an "echo", which is sent back, and a "move": one row locked and updated,
one row inserted, one message to the group, a short frame to each of its sockets.
"""
