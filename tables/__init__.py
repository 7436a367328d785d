"""One table of rummy: the rules, its match and its deals. Knows no tournament and no money."""
