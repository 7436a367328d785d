"""No tables of its own. Django sends `post_migrate` only to apps with a models module, and the site
fills its staff groups then."""
