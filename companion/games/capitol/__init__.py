"""Capitol: areas of stacked buildings, permits of three colours, closed hands and hidden bids."""
