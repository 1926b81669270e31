"""Rome: City of Marble (Brett Myers, R&R Games 2015)."""
