"""Settings: `base` is common, `dev` runs on one machine, `test` under pytest, `prod` on servers."""
