"""Thurn and Taxis, with The Audience and Offices of Honor of All Roads Lead to Rome."""
