"""A small game in which pieces move and take one another, with a ruling: what the template has not."""
