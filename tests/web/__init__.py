"""The site in a real browser: Chromium, driven by Playwright."""
