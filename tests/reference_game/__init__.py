"""The smallest complete game, a template for others: rules, board and words in one folder, and its cases."""
