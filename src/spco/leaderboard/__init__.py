"""The leaderboard: every contrastive method, plain and with SpCo, on many graphs by one protocol.

graphs    the graphs of the board, and where they come from
entries   what is ranked: methods, ``auto``, the free baselines, and a trained control
planning  the runs of a board as specs, cheap ones first
ranking   mean ranks, the Friedman test, and Nemenyi's critical difference
scores    Board: what a ledger says about entries on graphs
pages     the tables, the picture, and the marked parts of Markdown pages
running   make the runs that a ledger lacks, and read the board
"""
