"""Addresses of the operators' pages of the books, under the admin's."""

from __future__ import annotations

from django.urls import path

from ledger.desk import accounts, books

app_name = "books"

urlpatterns = [
    path("", books.overview, name="overview"),
    path("check/", books.check_now, name="check"),
    path("find/", books.find, name="find"),
    path("assets/<str:code>/", books.asset, name="asset"),
    path("assets/<str:code>/days/", books.days, name="days"),
    path("transfers/<int:pk>/", books.proof, name="proof"),
    path("accounts/", accounts.search, name="accounts"),
    path("accounts/<int:pk>/", accounts.statement, name="account"),
    path("accounts/<int:pk>/adjust/", accounts.adjust, name="adjust"),
    path("accounts/<int:pk>/freeze/", accounts.freeze, name="freeze"),
    path("entries/<int:pk>/", accounts.entry, name="entry"),
    path("entries/<int:pk>/reverse/", accounts.reverse, name="reverse"),
]
