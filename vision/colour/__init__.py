"""The colours of a picture: which the sheet's patches and paper tell, and what light and shine do to them."""
